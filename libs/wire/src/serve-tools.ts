import { defaultDeadlineMs } from '@skillgate/contracts/define-call';
import { executorName } from '@skillgate/contracts/words';
import {
  type SettleRequest,
  type Settlement,
  settlement,
  settleRequest,
  settleSubject,
  toolRequest,
  type ToolResult,
  toolResult,
  toolSubject,
} from '@skillgate/contracts/tool-call';
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

export type SettleHandler = (request: SettleRequest, context: CallContext) => Promise<Settlement>;

/** Hears what became of one executor's calls; only the orchestrator may ask, as the broker proves. */
export function serveSettle(parts: WireParts, executor: string, handler: SettleHandler): Hearing {
  return serveSubject(parts, {
    subject: settleSubject(executorName.parse(executor)),
    perCaller: false,
    deadlineMs: defaultDeadlineMs,
    input: settleRequest,
    output: settlement,
    run: (input, context) => handler(input as SettleRequest, context),
  });
}
