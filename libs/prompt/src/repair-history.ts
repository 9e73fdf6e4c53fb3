import type { AssistantItem, HistoryCall, HistoryItem, LoadedItem, ResultItem } from './history.js';

/** One thing that `repair` did, for the log and the route. */
export interface Repair {
  readonly what: 'filled' | 'dropped' | 'moved';
  readonly callId?: string;
  readonly reason: string;
}

/** What a model reads in place of a result that never came. */
export const notRunResult = JSON.stringify({
  error: 'not-run',
  message: 'This call was not run: the turn ended before it. If it is still needed, call again.',
});

/**
 * Makes a history that every provider accepts: behind each assistant's calls exactly one result a call, in the order of the calls,
 * then the loads, then everything else. Missing results are filled in as not run; results that no call waits for are dropped. A late
 * result behind a later message is dropped too: its call was sent as not run, and what was sent must not change.
 * A history that needs nothing comes back equal, and repairing twice changes nothing more.
 */
export function repair(history: readonly HistoryItem[]): { history: HistoryItem[]; repairs: Repair[] } {
  const repaired: HistoryItem[] = [];
  const repairs: Repair[] = [];
  // First, since an answer that says nothing must not close a round either.
  const spoken = history.filter((item) => item.kind !== 'assistant' || item.text !== '' || item.calls.length > 0);
  for (let n = spoken.length; n < history.length; n += 1) repairs.push({ what: 'dropped', reason: 'an answer without text and calls' });
  for (let at = 0; at < spoken.length;) {
    const item = spoken[at]!;
    at += 1;
    if (item.kind === 'result') {
      repairs.push({ what: 'dropped', callId: item.callId, reason: `no call waits for the result of "${item.callId}"` });
    } else if (item.kind === 'assistant' && item.calls.length > 0) {
      const end = endOfRound(spoken, at);
      repaired.push(...repairRound(item, spoken.slice(at, end), repairs));
      at = end;
    } else repaired.push(item);
  }
  return { history: repaired, repairs };
}

/** A round goes on until somebody speaks: the user, the model, or the facts that introduce the user. */
function endOfRound(history: readonly HistoryItem[], from: number): number {
  const end = history.findIndex(({ kind }, at) => at >= from && (kind === 'user' || kind === 'assistant' || kind === 'facts'));
  return end < 0 ? history.length : end;
}

function repairRound(assistant: AssistantItem, rest: readonly HistoryItem[], repairs: Repair[]): HistoryItem[] {
  const calls = distinct(assistant.calls, repairs);
  const found = new Map<string, ResultItem>();
  for (const item of rest) {
    if (item.kind !== 'result') continue;
    const wanted = calls.some(({ id }) => id === item.callId);
    if (wanted && !found.has(item.callId)) found.set(item.callId, item);
    else
      repairs.push({
        what: 'dropped',
        callId: item.callId,
        reason: wanted ? `a second result of "${item.callId}"` : `no call waits for the result of "${item.callId}"`,
      });
  }
  const results = calls.map(({ id }): ResultItem => {
    const result = found.get(id);
    if (!result) repairs.push({ what: 'filled', callId: id, reason: `the call "${id}" had no result` });
    return result ?? { kind: 'result', callId: id, content: notRunResult };
  });
  const loaded = rest.filter((item): item is LoadedItem => item.kind === 'loaded');
  const others = rest.filter(({ kind }) => kind !== 'result' && kind !== 'loaded');
  const ordered = [...results, ...loaded, ...others];
  const kept = rest.filter((item) => item.kind !== 'result' || found.get(item.callId) === item);
  const inPlace = ordered.filter((item) => kept.includes(item));
  if (inPlace.some((item, at) => item !== kept[at]))
    repairs.push({ what: 'moved', reason: 'results, loads and notices stood in another order than the calls' });
  return [calls.length === assistant.calls.length ? assistant : { ...assistant, calls }, ...ordered];
}

function distinct(calls: readonly HistoryCall[], repairs: Repair[]): HistoryCall[] {
  const seen = new Set<string>();
  return calls.filter(({ id }) => {
    if (seen.has(id)) repairs.push({ what: 'dropped', callId: id, reason: `a second call with the id "${id}"` });
    return !seen.has(id) && seen.add(id);
  });
}
