import type { FunctionTool } from '@skillgate/prompt/chat-message';
import { countTokens } from '@skillgate/prompt/count-tokens';
import type { ApprovedTool } from './approved-tool.js';
import { shownSchema } from './shown-schema.js';

/** What a tool's definition costs in a request, in o200k tokens. */
export function definitionTokens(tool: Pick<ApprovedTool, 'tool' | 'description' | 'inputSchema' | 'schemaDigest'>): number {
  const { tool: name, description } = tool;
  const definition: FunctionTool = { type: 'function', function: { name, description, parameters: shownSchema(tool) } };
  return countTokens(JSON.stringify(definition));
}
