import { executorName } from '@skillgate/contracts/words';
import { toolRequest, type ToolResult, toolResult, toolSubject } from '@skillgate/contracts/tool-call';
import type { z } from 'zod';
import type { CallContext } from './call-context.js';
import type { Hearing } from './connection.js';
import { serveSubject, type WireParts } from './serve-subject.js';

export type ToolRequest = z.output<typeof toolRequest>;

/** Answers a tool call; `tool` is as the caller named it and may be unknown. May refuse with any slug. */
export type ToolHandler = (tool: string, request: ToolRequest, context: CallContext) => Promise<z.input<typeof toolResult> | ToolResult>;

/** Milliseconds for a tool call that came without a deadline: the longest that a manifest may ask for. */
const longestToolMs = 600_000;

/** Hears every tool of one executor, shared with its other instances. The grant is in the context, unchecked. */
export function serveTools(parts: WireParts, executor: string, handler: ToolHandler): Hearing {
  return serveSubject(parts, {
    subject: toolSubject(executorName.parse(executor), '*'),
    perCaller: false,
    deadlineMs: longestToolMs,
    input: toolRequest,
    output: toolResult,
    run: (input, context, subject) => handler(subject.slice(subject.lastIndexOf('.') + 1), input as ToolRequest, context),
  });
}
