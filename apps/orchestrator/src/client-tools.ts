import type { ClientTool } from '@skillgate/contracts/calls/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';
import { baseToolNames, callToolName } from '@skillgate/prompt/base-tools';
import type { FunctionTool } from '@skillgate/prompt/chat-message';
import type { HistoryItem } from '@skillgate/prompt/history';
import { readSkillFileName } from './skill-file-tool.js';
import type { NewTurn } from './turn-records.js';

/** Tools of the house that every chat has: another one of that name would be taken for it. */
const reserved: ReadonlySet<string> = new Set([...baseToolNames, callToolName, readSkillFileName]);

/** @throws refusal `tool-name-reserved` */
export function checkClientTools(tools: readonly ClientTool[]): void {
  const taken = tools.find(({ name }) => reserved.has(name));
  if (taken) throw refuse('tool-name-reserved', `"${taken.name}" is a tool of the platform. Give yours another name.`, { param: 'tools' });
}

export const clientToolsOf = (turn: Pick<NewTurn, 'request'>): readonly ClientTool[] => turn.request?.clientTools ?? [];
export const clientNames = (turn: Pick<NewTurn, 'request'>): string[] => clientToolsOf(turn).map(({ name }) => name);

/** As the model gets them, in the client's order: an unchanged client changes no byte of the request. */
export const offeredTools = (turn: Pick<NewTurn, 'request'>): FunctionTool[] =>
  clientToolsOf(turn).map(({ name, description = '', parameters = { type: 'object', properties: {} }, strict }) => ({
    type: 'function',
    function: { name, description, parameters, ...(strict !== undefined && { strict }) },
  }));

/** Ids of the client's calls of the last answer that it has not answered. Nobody brings results of ours. */
export function openCalls(history: readonly HistoryItem[]): string[] {
  const at = history.findLastIndex(({ kind }) => kind === 'assistant' || kind === 'user');
  const last = history[at];
  if (last?.kind !== 'assistant') return [];
  const answered = new Set(history.slice(at).flatMap((item) => (item.kind === 'result' ? [item.callId] : [])));
  const theirs = last.from === 'client' ? last.calls.map(({ id }) => id) : (last.handed ?? []);
  return theirs.filter((id) => !answered.has(id));
}

/**
 * Do the results that are said now belong to calls that wait for them?
 *
 * @param history what the chat has
 * @throws refusal `unknown-tool-call`
 */
export function checkResults(history: readonly HistoryItem[], said: readonly HistoryItem[]): void {
  const open = new Set(openCalls(history));
  for (const item of said) {
    if (item.kind === 'assistant') for (const { id } of item.calls) open.add(id);
    if (item.kind !== 'result' || open.has(item.callId)) continue;
    throw refuse('unknown-tool-call', `No call "${item.callId.slice(0, 80)}" waits for a result in this chat. Send the results of the last answer's calls, each with its id.`, { param: 'messages' });
  }
}

