import type { TokenLedger } from '@skillgate/contracts/route';
import type { ChatMessage, FunctionTool } from './chat-message.js';
import { countTokens } from './count-tokens.js';

export { countTokens };

export interface MeasuredRequest {
  readonly prefix: { readonly base: string; readonly catalog: string };
  /** As sent, the leading system message included. */
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly FunctionTool[];
  /** Texts of loaded skills as they stand in the messages: see `loadedTexts`. */
  readonly loadedTexts: readonly string[];
  readonly monolith: {
    /** Every skill's instructions. */
    readonly bodiesTokens: number;
    /** Every tool's definition. */
    readonly allToolsTokens: number;
    /** `conversation` of the turn's first call; absent when this is the first. */
    readonly firstConversation?: number;
  };
}

/**
 * Where a request's tokens go, counted in o200k: the texts and the JSON of calls and tools, without the few tokens that a provider adds
 * around each message and without images.
 */
export function measureRequest({ prefix, messages, tools, loadedTexts, monolith }: MeasuredRequest): TokenLedger {
  const base = countTokens(prefix.base);
  const loaded = loadedTexts.reduce((sum, text) => sum + countTokens(text), 0);
  const conversation = conversationTokens(messages, loadedTexts);
  return {
    base,
    catalog: prefix.catalog === '' ? 0 : countTokens(prefix.catalog),
    loaded,
    tools: tools.length === 0 ? 0 : countTokens(JSON.stringify(tools)),
    conversation,
    monolith: base + monolith.bodiesTokens + monolith.allToolsTokens + (monolith.firstConversation ?? conversation),
  };
}

/** Everything behind the leading system message, less the loaded texts, each taken out once. */
function conversationTokens(messages: readonly ChatMessage[], loadedTexts: readonly string[]): number {
  const left = [...loadedTexts];
  const rest = messages[0]?.role === 'system' ? messages.slice(1) : messages;
  return rest.reduce((sum, message) => sum + textsOf(message).reduce((tokens, text) => tokens + countTokens(without(text, left)), 0), 0);
}

function without(text: string, left: string[]): string {
  let remaining = text;
  for (let at = 0; at < left.length;) {
    const found = remaining.indexOf(left[at]!);
    if (found < 0) at += 1;
    else remaining = remaining.slice(0, found) + remaining.slice(found + left.splice(at, 1)[0]!.length);
  }
  return remaining;
}

function textsOf(message: ChatMessage): string[] {
  const { content } = message;
  const texts = typeof content === 'string' ? [content] : (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return message.role === 'assistant' && message.tool_calls ? [...texts, JSON.stringify(message.tool_calls)] : texts;
}
