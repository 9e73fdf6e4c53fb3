import { capResult } from './cap-result.js';
import { callToolName } from './base-tools.js';
import type { HistoryCall, HistoryItem } from './history.js';
import { parseArguments } from './parse-arguments.js';

// Enough to go on talking about what happened; the data itself served its turn.
const noteCharacters = 2_000;

/**
 * A history for a model or an account without tools: calls and their results become plain remarks of the assistant, loaded skills
 * are left out. Remarks and the answer after them are one message, so that user and assistant alternate.
 */
export function flatten(history: readonly HistoryItem[]): HistoryItem[] {
  const flat: HistoryItem[] = [];
  const names = new Map<string, string>();
  const say = (text: string) => {
    const last = flat.at(-1);
    if (text === '') return;
    if (last?.kind === 'assistant') flat[flat.length - 1] = { ...last, text: `${last.text}\n\n${text}` };
    else flat.push({ kind: 'assistant', text, calls: [] });
  };
  for (const item of history) {
    if (item.kind === 'assistant') {
      for (const call of item.calls) names.set(call.id, toolOf(call));
      say(item.text);
    } else if (item.kind === 'result') {
      const { text } = capResult(item.content, { limit: noteCharacters, unit: 'characters' });
      say(`(Earlier, ${names.get(item.callId) ?? 'a tool'} was used and gave: ${text})`);
    } else if (item.kind !== 'loaded') flat.push(item);
  }
  return flat;
}

/**
 * A flattened history in mid-turn ends with the assistant's own remarks, and many servers take that for an answer to be continued. What
 * the house said behind them is said by the user instead, so that it is read and answered. Any other history comes back as it is.
 */
export function endWithUser(history: readonly HistoryItem[]): HistoryItem[] {
  const spoken = history.findLastIndex(({ kind }) => kind === 'assistant' || kind === 'user');
  if (history[spoken]?.kind !== 'assistant') return [...history];
  const asides = history.slice(spoken + 1).map((item) => ('text' in item ? item.text : ''));
  return [...history.slice(0, spoken + 1), { kind: 'user', content: `<notice>\n${asides.filter(Boolean).join('\n') || 'Go on.'}\n</notice>` }];
}

/** The tool behind a call, also behind `call_tool`. */
function toolOf({ name, arguments: raw }: HistoryCall): string {
  if (name !== callToolName) return name;
  const parsed = parseArguments(raw);
  return parsed.ok && typeof parsed.value.name === 'string' ? parsed.value.name : name;
}
