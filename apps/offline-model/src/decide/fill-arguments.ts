import { briefAsMarkdown, briefAsText, partAsMarkdown } from '../compose/write-brief.js';
import type { Brief } from '../compose/brief.js';
import type { JsonSchema, OfferedTool } from '../protocol/chat-request.js';
import { fileNameFor } from './file-name.js';
import { parameterRole } from './parameter-role.js';
import { plainSchema } from './plain-schema.js';
import type { Stuff } from './stuff.js';

interface Filling extends Stuff {
  root: JsonSchema;
  fileName: string;
}

/** Schemas may refer to themselves; no honest argument is nested deeper. */
const mostDepth = 8;

/** Arguments for one call, from its schema alone: required parameters always, optional ones when their use is plain. */
export function fillArguments(tool: OfferedTool, stuff: Stuff): Record<string, unknown> {
  const fileName = fileNameFor(tool, stuff);
  return fillObject(tool.parameters, { ...stuff, root: tool.parameters, fileName }, 0);
}

function fillObject(schema: JsonSchema, filling: Filling, depth: number): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const titled = Object.entries(properties).some(([name, inner]) => parameterRole(name, plainSchema(inner, filling.root)) === 'title');
  const filled: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(properties)) {
    const value = fillProperty(name, plainSchema(inner, filling.root), required.has(name), titled, filling, depth);
    if (value !== undefined) filled[name] = value;
  }
  return filled;
}

function fillProperty(name: string, schema: JsonSchema, required: boolean, titled: boolean, filling: Filling, depth: number): unknown {
  if (schema.const !== undefined) return required ? schema.const : undefined;
  const role = parameterRole(name, schema);
  if (role === 'artifact' && filling.artifacts.length > 0) return schema.type === 'array' ? filling.artifacts : filling.artifacts[0];
  if (role === 'file-name') return filling.fileName;
  if (role === 'title' && filling.brief) return fit(filling.brief.title, schema);
  if (role === 'content' && filling.brief) return fit(contentFor(filling.fileName, filling.brief, titled), schema);
  if (role === 'offset' && filling.offset !== undefined) return filling.offset;
  if (!required) return undefined;
  return fillByType(schema, filling, depth);
}

function fillByType(schema: JsonSchema, filling: Filling, depth: number): unknown {
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return chooseFrom(schema.enum, filling.request);
  if (depth >= mostDepth) return null;
  switch (schema.type ?? (schema.properties ? 'object' : 'string')) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return numberFor(schema);
    case 'array':
      return fillArray(schema, filling, depth);
    case 'object':
      return fillObject(schema, filling, depth + 1);
    case 'null':
      return null;
    default:
      return fit(filling.request, schema);
  }
}

/** The choice whose own word stands in the request, or the first. */
function chooseFrom(choices: unknown[], request: string): unknown {
  const words = ` ${request.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return (
    choices.find(
      (choice) =>
        typeof choice === 'string' &&
        words.includes(
          ` ${choice
            .toLowerCase()
            .replace(/[^\p{L}\p{N}]+/gu, ' ')
            .trim()} `,
        ),
    ) ?? choices[0]
  );
}

function numberFor(schema: JsonSchema): number {
  if (typeof schema.minimum === 'number') return schema.minimum;
  if (typeof schema.exclusiveMinimum === 'number') return schema.exclusiveMinimum + 1;
  return typeof schema.maximum === 'number' && schema.maximum < 1 ? schema.maximum : 1;
}

function fillArray(schema: JsonSchema, filling: Filling, depth: number): unknown[] {
  const items = plainSchema((schema.items ?? {}) as JsonSchema, filling.root);
  const sections = sectionItems(items, filling);
  if (sections) return sections;
  const length = Math.max(1, typeof schema.minItems === 'number' ? schema.minItems : 1);
  return Array.from({ length }, () => fillByType(items, filling, depth + 1));
}

/** A list of things with a heading and a text takes the page part by part. */
function sectionItems(items: JsonSchema, filling: Filling): object[] | undefined {
  const names = Object.entries((items.properties ?? {}) as Record<string, JsonSchema>);
  const of = (role: string): string | undefined => names.find(([name, schema]) => parameterRole(name, schema) === role)?.[0];
  const [heading, body] = [of('title'), of('content')];
  if (!filling.brief || !heading || !body) return undefined;
  return filling.brief.parts.map((part) => ({ [heading]: part.heading, [body]: partAsMarkdown(part) }));
}

function contentFor(fileName: string, brief: Brief, titled: boolean): string {
  return fileName.endsWith('.txt') ? briefAsText(brief, !titled) : briefAsMarkdown(brief, !titled);
}

/** Cut to the schema's longest length, at a word. */
function fit(text: string, schema: JsonSchema): string {
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Infinity;
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  return /\s/.test(cut) ? cut.replace(/\s+\S*$/, '') : cut;
}
