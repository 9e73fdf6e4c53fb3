import { assistantMessage } from './assistant-message.js';
import { callIdFor } from './call-id.js';
import type { ChatMessage, UserContent } from './chat-message.js';
import type { AssistantItem, HistoryItem, LoadedItem } from './history.js';
import { placeLoaded, withoutBlocks } from './loaded-block.js';
import { MessageList } from './message-list.js';
import type { ModelEntry } from './models.js';
import { type CalledImage, imageContent, imageNote, type ImageUrls } from './result-images.js';
import { summaryBlock } from './summary-block.js';

/**
 * A history as the messages of a request, after the leading system message `prefix` (none when it is empty), for one model: whether
 * several calls may stand in one answer, where instructions go, who may speak twice in a row, and what its own provider wants back.
 *
 * Append-only: whatever is added to the history behind a complete round only adds messages. Where the model takes one system message
 * alone, facts and notices between two turns wait for the user's message and stand in front of its text, and those behind a round ride
 * in its last result, so that roles alternate.
 *
 * Throws an Error when a call has no result or a result no call; `repair` makes such a history sendable.
 *
 * @param images what images of results can be shown as
 */
export function project(prefix: string, history: readonly HistoryItem[], entry: ModelEntry, images: ImageUrls = new Map()): ChatMessage[] {
  const list = new MessageList(prefix, entry);
  const waiting: string[] = [];
  let betweenTurns = true;

  const aside = (mark: string, text: string) => {
    if (entry.instructions === 'system-message') list.push({ role: 'system', content: text });
    else atUser(`<${mark}>\n${text}\n</${mark}>`);
  };
  const atUser = (text: string) => {
    if (betweenTurns && entry.instructions === 'tool-result') waiting.push(text);
    else list.aside(text);
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
      if (system !== undefined) list.push({ role: 'system', content: system });
      for (const text of user === undefined ? strays : [...strays, user]) atUser(text);
    };
  };
  const round = (item: AssistantItem, at: number): number => {
    const { results, pictures, loaded, end } = roundAt(history, at);
    for (const [callId, text] of results) results.set(callId, text + imageNote(pictures.filter((one) => one.callId === callId), entry, images));
    const placeBehind = loaded.map((one) => place(one, results));
    // Some chat templates know one call an answer: there each call is an answer of its own.
    const groups = entry.parallelCalls ? [item.calls] : item.calls.map((call) => [call]);
    for (const [n, calls] of groups.entries()) {
      list.push(assistantMessage({ text: n === 0 ? item.text : '', calls }, entry, results));
      for (const { id } of calls) list.messages.push({ role: 'tool', tool_call_id: callIdFor(id, entry), content: results.get(id)! });
    }
    for (const push of placeBehind) push();
    const shown = imageContent(pictures, entry, images);
    if (shown) list.push({ role: 'user', content: shown });
    return end;
  };

  for (let at = 0; at < history.length; at += 1) {
    const item = history[at]!;
    switch (item.kind) {
      case 'facts':
      case 'notice':
        aside(item.kind, item.text);
        break;
      case 'summary':
        atUser(summaryBlock(item.text)); // never at system authority: strangers' words went into it
        break;
      case 'user':
        list.push({ role: 'user', content: join(waiting.splice(0), item.content) });
        betweenTurns = false;
        break;
      case 'loaded':
        place(item, new Map())();
        break;
      case 'result':
        throw new Error(`The history holds a result for "${item.callId}", which no call waits for; repair it before it is projected.`);
      case 'assistant':
        betweenTurns = item.calls.length === 0;
        if (betweenTurns) list.push(assistantMessage(item, entry, new Map()));
        else at = round(item, at);
        break;
    }
  }
  return list.messages;
}

/** The results and loads that directly follow the assistant's calls. `end` is the index of the round's last item. */
function roundAt(history: readonly HistoryItem[], start: number) {
  const { calls } = history[start] as AssistantItem;
  const open = new Set(calls.map(({ id }) => id));
  const results = new Map<string, string>();
  const pictures: CalledImage[] = [];
  const loaded: LoadedItem[] = [];
  let end = start;
  for (; history[end + 1]?.kind === 'result' || history[end + 1]?.kind === 'loaded'; end += 1) {
    const item = history[end + 1]!;
    if (item.kind === 'loaded') loaded.push(item);
    else if (item.kind === 'result' && open.delete(item.callId)) {
      results.set(item.callId, withoutBlocks(item.content));
      pictures.push(...(item.images ?? []).map((image) => ({ ...image, callId: item.callId })));
    } else break;
  }
  const [missing] = open;
  if (missing !== undefined) throw new Error(`The call "${missing}" has no result behind it; repair the history before it is projected.`);
  return { results, pictures, loaded, end };
}

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
