import type { z } from 'zod';
import type { userContent } from '@skillgate/contracts/calls/orchestrator';

export type UserContent = z.infer<typeof userContent>;

/** One message as OpenAI's chat completions take it. Declared here since this room knows no vendor's package. */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: UserContent }
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCallPart[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export interface ToolCallPart {
  id: string;
  type: 'function';
  /** `arguments` is text that holds a JSON object. */
  function: { name: string; arguments: string };
}

/** One entry of a request's `tools`. Without `parameters` it takes no arguments. */
export interface FunctionTool {
  type: 'function';
  function: { name: string; description: string; parameters?: Record<string, unknown> };
}
