import {
  type SettleRequest,
  type Settlement,
  settlement,
  settleRequest,
  settleSubject,
  toolHeaders,
  toolRequest,
  type ToolResult,
  toolResult,
  toolSubject,
} from '@skillgate/contracts/tool-call';
import { request } from './call.js';
import { requireToken } from './live-subjects.js';
import type { WireParts } from './serve-subject.js';
import type { ToolRequest } from './serve-tools.js';

export interface ToolCallOptions {
  readonly grant: string;
  readonly callId: string;
  readonly turnId: string;
  /** Milliseconds. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** Calls a tool of an executor under a grant. @throws `HouseError`; the tool's own refusals included */
export async function callTool(parts: WireParts, executor: string, tool: string, input: ToolRequest, options: ToolCallOptions): Promise<ToolResult> {
  const { grant, callId, turnId, deadlineMs, signal } = options;
  const subject = toolSubject(requireToken(executor, 'executor'), requireToken(tool, 'tool'));
  const headers = { [toolHeaders.grant]: grant, [toolHeaders.callId]: callId, [toolHeaders.turnId]: turnId };
  const outgoing = { subject, publishTo: subject, callee: executor, input: toolRequest, output: toolResult, deadlineMs };
  return (await request(parts, outgoing, input, { headers, signal })) as ToolResult;
}

/** Asks an executor what became of a call. */
export async function settleCall(
  parts: WireParts,
  executor: string,
  input: SettleRequest,
  { deadlineMs, signal }: { deadlineMs: number; signal?: AbortSignal },
): Promise<Settlement> {
  const subject = settleSubject(requireToken(executor, 'executor'));
  const outgoing = { subject, publishTo: subject, callee: executor, input: settleRequest, output: settlement, deadlineMs };
  return (await request(parts, outgoing, input, { signal })) as Settlement;
}
