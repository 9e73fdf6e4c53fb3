import { callToolName } from './base-tools.js';
import { callIdFor } from './call-id.js';
import type { ChatMessage, ToolCallPart } from './chat-message.js';
import type { AssistantItem, HistoryCall } from './history.js';
import type { ModelEntry } from './models.js';
import { parseArguments, sendableArguments } from './parse-arguments.js';

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

/**
 * An answer of the past with these of its calls, for the model that is asked now: names and arguments that every provider takes, and
 * what its own provider wants back, if that is who wrote it.
 *
 * @param results by call id
 */
export function assistantMessage({ text, calls }: Pick<AssistantItem, 'text' | 'calls'>, entry: ModelEntry, results: ReadonlyMap<string, string>): AssistantMessage {
  if (calls.length === 0) return { role: 'assistant', content: text };
  const [first] = calls;
  const kept = first?.provider?.model === entry.id ? first.provider.message : undefined;
  const parts = calls.map((call) => partOf(call, entry, results.get(call.id) ?? ''));
  return { ...inOneOrder(kept), role: 'assistant', content: text === '' ? null : text, tool_calls: parts };
}

function partOf(call: HistoryCall, entry: ModelEntry, result: string): ToolCallPart {
  const kept = call.provider?.model === entry.id ? call.provider.call : undefined;
  const { name, arguments: text } = entry.plan === 'expand' ? byItsOwnName(call, result) : call;
  return { ...inOneOrder(kept), id: callIdFor(call.id, entry), type: 'function', function: { name: sendableName(name), arguments: sendableArguments(text) } };
}

/**
 * Where no `call_tool` is offered, a call through it that another model made stands under the name of its tool. One that this model
 * made up is left, since its result says so.
 */
function byItsOwnName(call: HistoryCall, result: string): Pick<HistoryCall, 'name' | 'arguments'> {
  if (call.name !== callToolName || result.startsWith('{"refused":"unknown-tool"')) return call;
  const parsed = parseArguments(call.arguments);
  if (!parsed.ok || typeof parsed.value.name !== 'string') return call;
  const { name, arguments: inner } = parsed.value;
  return { name, arguments: typeof inner === 'string' ? inner : JSON.stringify(inner ?? {}) };
}

// Providers refuse a whole chat for one name outside this alphabet, also when the model itself made it up.
const sendableName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed';

/** A store may hand keys back in another order, and what was sent once must be sent again to the byte. */
function inOneOrder(kept: Record<string, unknown> | undefined): Record<string, unknown> {
  return kept ? (sorted(kept) as Record<string, unknown>) : {};
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
