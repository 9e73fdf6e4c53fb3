import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import { baseTools, callTool } from './base-tools.js';
import type { FunctionTool } from './chat-message.js';
import { type DialectName, speak } from './dialects.js';
import type { ExposurePlan } from './models.js';

export interface ExposedTools {
  /** The request's `tools`. */
  readonly tools: FunctionTool[];
  /** Plan `dispatch`: the opened tools as text that travels with the instructions; absent when nothing is open. */
  readonly schemasText?: string;
}

/**
 * How opened tools reach the model. `opened` stands in activation order and only grows. Plan `expand` appends each to the array; plan
 * `dispatch` never changes the array, and the schemas of what has just opened belong into that load's `schemas`. The client's `own` tools
 * hide opened ones of the same name, and go as the client wrote them.
 *
 * @param dialect of the model's entry; there the array is read by the provider, the text of `dispatch` by the model alone
 */
export function exposeTools(plan: ExposurePlan, opened: readonly OpenedTool[], dialect: DialectName = 'grammar', own: readonly FunctionTool[] = []): ExposedTools {
  const hidden = new Set(own.map((tool) => tool.function.name));
  const once = distinct(opened).filter(({ name }) => !hidden.has(name));
  if (plan === 'expand') return { tools: [...ownTools(baseTools, dialect), ...own, ...once.map((tool) => functionTool(tool, dialect))] };
  return { tools: [...ownTools([...baseTools, callTool], dialect), ...own], ...(once.length > 0 && { schemasText: renderSchemas(once) }) };
}

/** One line of JSON a tool. `<` is escaped inside the JSON, so no description can look like a mark. */
export const renderSchemas = (opened: readonly OpenedTool[]): string =>
  distinct(opened)
    .map(({ name, description, inputSchema }) => JSON.stringify({ name, description, arguments: inputSchema }).replace(/</g, '\\u003c'))
    .join('\n');

const ownTools = (tools: readonly FunctionTool[], dialect: DialectName): FunctionTool[] =>
  tools.map(({ function: { name, description, parameters = {} } }) => functionTool({ name, description, inputSchema: parameters }, dialect));

function functionTool({ name, description, inputSchema }: Pick<OpenedTool, 'name' | 'description' | 'inputSchema'>, dialect: DialectName): FunctionTool {
  const parameters = parametersIn(dialect, inputSchema);
  return { type: 'function', function: { name, description, ...(parameters && { parameters }) } };
}

/** By the schema as it was opened: each request of a turn asks for the same ones again. */
const spoken = new WeakMap<object, Map<DialectName, Record<string, unknown> | undefined>>();

/**
 * A schema that cannot be said was refused when its executor announced it. One that was approved before there was that rule goes as an
 * object of anything, since the executor checks the arguments: one tool may not break the request of all.
 */
function parametersIn(dialect: DialectName, schema: Record<string, unknown>): Record<string, unknown> | undefined {
  const known = spoken.get(schema) ?? new Map<DialectName, Record<string, unknown> | undefined>();
  spoken.set(schema, known);
  if (!known.has(dialect)) {
    const said = speak(dialect, schema);
    known.set(dialect, 'problem' in said ? { type: 'object', properties: {} } : said.schema);
  }
  return known.get(dialect);
}

/** Two skills may open one tool; providers refuse a doubled name. The first stays where it is. */
function distinct(opened: readonly OpenedTool[]): OpenedTool[] {
  const seen = new Set<string>();
  return opened.filter(({ name }) => !seen.has(name) && seen.add(name));
}
