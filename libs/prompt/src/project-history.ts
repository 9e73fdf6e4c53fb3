import type { ChatMessage, UserContent } from './chat-message.js';
import type { AssistantItem, HistoryItem, LoadedItem } from './history.js';
import { placeLoaded, withoutBlocks } from './loaded-block.js';
import type { ModelEntry } from './models.js';
import { sendableArguments } from './parse-arguments.js';

/**
 * A history as the messages of a request, after the leading system message `prefix` (none when it is empty).
 *
 * Append-only: whatever is added to the history behind a complete round only adds messages. Where the model takes one system message
 * alone, facts and notices between two turns wait for the user's message and stand in front of its text, so that roles alternate.
 *
 * Throws an Error when a call has no result or a result no call; `repair` makes such a history sendable.
 */
export function project(prefix: string, history: readonly HistoryItem[], entry: ModelEntry): ChatMessage[] {
  const messages: ChatMessage[] = prefix === '' ? [] : [{ role: 'system', content: prefix }];
  const waiting: string[] = [];
  let betweenTurns = true;

  const aside = (mark: string, text: string) => {
    if (entry.instructions === 'system-message') messages.push({ role: 'system', content: text });
    else atUser(`<${mark}>\n${text}\n</${mark}>`);
  };
  const atUser = (text: string) => {
    if (betweenTurns && entry.instructions === 'tool-result') waiting.push(text);
    else messages.push({ role: 'user', content: text });
  };
  /** Puts what belongs into results there and returns the messages that come behind the results. */
  const place = (loaded: LoadedItem, results: Map<string, string>): (() => void) => {
    const { system, results: riding, user } = placeLoaded(loaded, entry);
    const strays: string[] = []; // their call is not of this round
    for (const [callId, text] of riding) {
      if (results.has(callId)) results.set(callId, `${results.get(callId)}\n\n${text}`);
      else strays.push(text);
    }
    return () => {
      if (system !== undefined) messages.push({ role: 'system', content: system });
      for (const text of user === undefined ? strays : [...strays, user]) atUser(text);
    };
  };

  for (let at = 0; at < history.length; at += 1) {
    const item = history[at]!;
    switch (item.kind) {
      case 'facts':
      case 'notice':
        aside(item.kind, item.text);
        break;
      case 'user':
        messages.push({ role: 'user', content: join(waiting.splice(0), item.content) });
        betweenTurns = false;
        break;
      case 'loaded':
        place(item, new Map())();
        break;
      case 'result':
        throw new Error(`The history holds a result for "${item.callId}", which no call waits for; repair it before it is projected.`);
      case 'assistant': {
        messages.push(assistantMessage(item));
        betweenTurns = item.calls.length === 0;
        if (betweenTurns) break;
        const round = roundAt(history, at);
        const placeBehind = round.loaded.map((loaded) => place(loaded, round.results));
        for (const { id } of item.calls) messages.push({ role: 'tool', tool_call_id: id, content: round.results.get(id)! });
        for (const push of placeBehind) push();
        at = round.end;
        break;
      }
    }
  }
  return messages;
}

/** The results and loads that directly follow the assistant's calls. `end` is the index of the round's last item. */
function roundAt(history: readonly HistoryItem[], start: number) {
  const { calls } = history[start] as AssistantItem;
  const open = new Set(calls.map(({ id }) => id));
  const results = new Map<string, string>();
  const loaded: LoadedItem[] = [];
  let end = start;
  for (; history[end + 1]?.kind === 'result' || history[end + 1]?.kind === 'loaded'; end += 1) {
    const item = history[end + 1]!;
    if (item.kind === 'loaded') loaded.push(item);
    else if (item.kind === 'result' && open.delete(item.callId)) results.set(item.callId, withoutBlocks(item.content));
    else break;
  }
  const [missing] = open;
  if (missing !== undefined) throw new Error(`The call "${missing}" has no result behind it; repair the history before it is projected.`);
  return { results, loaded, end };
}

function assistantMessage({ text, calls }: AssistantItem): ChatMessage {
  if (calls.length === 0) return { role: 'assistant', content: text };
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: calls.map(({ id, name, arguments: raw }) => ({
      id,
      type: 'function',
      function: { name: sendableName(name), arguments: sendableArguments(raw) },
    })),
  };
}

// Providers refuse a whole chat for one name outside this alphabet, also when the model itself made it up.
const sendableName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed';

/** Parts are rebuilt with their keys in one order: a store may hand them back in another. */
function join(before: readonly string[], content: UserContent): UserContent {
  if (typeof content === 'string') return [...before, content].join('\n\n');
  const parts = content.map((part) =>
    part.type === 'text'
      ? { type: part.type, text: part.text }
      : {
          type: part.type,
          image_url: { url: part.image_url.url, ...(part.image_url.detail !== undefined && { detail: part.image_url.detail }) },
        },
  );
  return [...before.map((text) => ({ type: 'text' as const, text })), ...parts];
}
