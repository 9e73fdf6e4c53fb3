import { countTokens } from '@skillgate/prompt/count-tokens';
import type { ModelEntry } from '@skillgate/prompt/models';
import type { ModelAnswer } from './ask-model.js';
import type { TurnContext } from './turn-context.js';

/** Tokens of one call, and US dollars where its model's prices are known. */
export interface Spending {
  readonly input: number;
  readonly output: number;
  readonly usd: number | null;
}

/** US dollars of one call. @param cached those of the input that the provider had */
export const usdOf = (prices: NonNullable<ModelEntry['prices']>, { input, cached, output }: { input: number; cached: number; output: number }): number =>
  ((input - cached) * prices.input + cached * prices.cachedInput + output * prices.output) / 1_000_000;

/**
 * Adds a model call to what its turn has used: as the provider reports it, else as counted here.
 *
 * @param sent tokens of the request as counted here; asked for only where the provider reports none
 */
export function spend({ usage: sum }: Pick<TurnContext, 'usage'>, { prices }: ModelEntry, { usage, text, calls }: ModelAnswer, sent: number | (() => number)): Spending {
  const input = usage?.inputTokens ?? (typeof sent === 'number' ? sent : sent());
  const output = usage?.outputTokens ?? countTokens(text) + calls.reduce((tokens, call) => tokens + countTokens(call.name + call.arguments), 0);
  const cached = usage?.cachedTokens ?? 0;
  sum.promptTokens += input;
  sum.completionTokens += output;
  sum.cachedTokens += cached;
  const usd = prices && usdOf(prices, { input, cached, output });
  sum.usd += usd ?? 0;
  return { input, output, usd };
}
