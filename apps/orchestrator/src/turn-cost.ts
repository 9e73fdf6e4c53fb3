import type { RouteStep, TurnCost } from '@skillgate/contracts/route';
import type { ModelEntry } from '@skillgate/prompt/models';
import type { Monolith } from './monolith.js';
import { usdOf } from './spend.js';

type ModelStep = Extract<RouteStep, { kind: 'model' }>;

/**
 * What a turn costs, from its steps. Tries that came to nothing have no `usd` at all: nobody reports what they cost.
 *
 * @param prices of the model that answered last; the monolith is reckoned by them
 * @returns null while no model has answered
 */
export function turnCost(steps: readonly RouteStep[], prices: ModelEntry['prices'], monolith: Monolith | null): TurnCost | null {
  const calls = steps.filter((step): step is ModelStep => step.kind === 'model' && step.usd !== undefined);
  if (calls.length === 0) return null;
  const reported = calls.filter(({ cachedTokens }) => cachedTokens !== null);
  return {
    usd: total(calls.map(({ usd = null }) => usd)),
    cachedTokens: reported.length === 0 ? null : reported.reduce((sum, { cachedTokens }) => sum + cachedTokens!, 0),
    activations: activationsOf(steps, calls),
    monolith: monolith && monolithCost(calls.filter(({ compacted }) => !compacted), prices, monolith),
  };
}

/** Before: the call that asked for the load. After: the next one, which has instructions and tools. A turn that ends with a load has none. */
function activationsOf(steps: readonly RouteStep[], calls: readonly ModelStep[]): TurnCost['activations'] {
  return steps.flatMap((step, at) => {
    if (step.kind !== 'load' || step.decision !== 'loaded') return [];
    const isCall = (other: RouteStep): other is ModelStep => other.kind === 'model' && !other.compacted && calls.includes(other);
    const before = steps.slice(0, at).findLast(isCall);
    const after = steps.slice(at).find(isCall);
    return before && after ? [{ skill: `${step.skill}@${step.version}`, before: costOf(before), after: costOf(after) }] : [];
  });
}

const costOf = (call: ModelStep) => ({ inputTokens: inputOf(call), usd: call.usd ?? null });

const inputOf = ({ inputTokens, tokens }: ModelStep): number => inputTokens ?? (tokens ? sum(Object.values(tokens)) : 0);

function monolithCost(calls: readonly ModelStep[], prices: ModelEntry['prices'], { bodiesTokens, allToolsTokens }: Monolith): TurnCost['monolith'] {
  const inputs = calls.map(({ tokens }) => (tokens ? tokens.base + bodiesTokens + allToolsTokens + tokens.conversation : 0));
  const usd = calls.map(({ cachedTokens, outputTokens }, at) => {
    const cached = cachedTokens ? Math.min(inputs[at - 1] ?? 0, inputs[at]!) : 0;
    return prices && usdOf(prices, { input: inputs[at]!, cached, output: outputTokens ?? 0 });
  });
  return { inputTokens: sum(inputs), usd: total(usd) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** One part without a price leaves the whole without one. To a millionth of a cent, which is more than anybody bills. */
function total(usd: readonly (number | null)[]): number | null {
  return usd.some((each) => each === null) ? null : Math.round(sum(usd as number[]) * 1e8) / 1e8;
}
