import type { JsonSchema, OfferedTool } from '../protocol/chat-request.js';
import { attributesOf } from './attributes.js';
import { jsonInText } from './json-in-text.js';

type Fields = Record<string, unknown>;

/**
 * Tools whose schemas stand in the text: JSON objects with a name and a schema, alone or in lists, or elements
 * `<tool name="…">description {schema}</tool>`. The last definition of a name counts.
 */
export function readCarriedTools(texts: string[]): OfferedTool[] {
  const tools = new Map<string, OfferedTool>();
  for (const text of texts) {
    if (!/"type"\s*:/.test(text)) continue;
    for (const value of jsonInText(text)) for (const tool of toolsIn(value)) tools.set(tool.name, tool);
    for (const element of text.matchAll(/<(tool|function)\b([^>]*)>([\s\S]*?)<\/\1>/g)) {
      const tool = fromElement(attributesOf(element[2]!), element[3]!);
      if (tool) tools.set(tool.name, tool);
    }
  }
  return [...tools.values()];
}

function toolsIn(value: unknown): OfferedTool[] {
  if (Array.isArray(value)) return value.flatMap(toolsIn);
  if (!isObject(value)) return [];
  if (isObject(value.function)) return toolsIn(value.function);
  const schema = [value.parameters, value.inputSchema, value.input_schema, value.schema, value.arguments].find(isSchema);
  const name = value.name ?? value.tool;
  if (schema && typeof name === 'string')
    return [{ name, description: typeof value.description === 'string' ? value.description : '', parameters: schema }];
  // One level of wrapping: {"tools": [...]}.
  return Object.values(value).filter(Array.isArray).flatMap(toolsIn);
}

function fromElement(attributes: Record<string, string>, body: string): OfferedTool | undefined {
  const schema = jsonInText(body).find(isSchema);
  if (!attributes.name || !schema) return undefined;
  const description =
    attributes.description ??
    body
      .slice(0, body.indexOf('{'))
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  return { name: attributes.name, description, parameters: schema };
}

/** Arguments of a call that stands in the text as an example are no schema. */
function isSchema(value: unknown): value is JsonSchema {
  return isObject(value) && (value.type === 'object' || isObject(value.properties));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
