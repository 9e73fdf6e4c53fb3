import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import { baseTools, callTool } from './base-tools.js';
import type { FunctionTool } from './chat-message.js';
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
 * hide opened ones of the same name.
 */
export function exposeTools(plan: ExposurePlan, opened: readonly OpenedTool[], own: readonly FunctionTool[] = []): ExposedTools {
  const hidden = new Set(own.map((tool) => tool.function.name));
  const once = distinct(opened).filter(({ name }) => !hidden.has(name));
  if (plan === 'expand') return { tools: [...baseTools, ...own, ...once.map(functionTool)] };
  return { tools: [...baseTools, callTool, ...own], ...(once.length > 0 && { schemasText: renderSchemas(once) }) };
}

/** One line of JSON a tool. `<` is escaped inside the JSON, so no description can look like a mark. */
export const renderSchemas = (opened: readonly OpenedTool[]): string =>
  distinct(opened)
    .map(({ name, description, inputSchema }) => JSON.stringify({ name, description, arguments: inputSchema }).replace(/</g, '\\u003c'))
    .join('\n');

const functionTool = ({ name, description, inputSchema }: OpenedTool): FunctionTool => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
});

/** Two skills may open one tool; providers refuse a doubled name. The first stays where it is. */
function distinct(opened: readonly OpenedTool[]): OpenedTool[] {
  const seen = new Set<string>();
  return opened.filter(({ name }) => !seen.has(name) && seen.add(name));
}
