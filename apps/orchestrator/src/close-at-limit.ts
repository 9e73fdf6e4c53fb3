import { isHouseError, refuse, unavailable } from '@skillgate/contracts/refusal';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import { askUntilAnswered } from './ask-until-answered.js';
import type { OrchestratorConfig } from './config.js';
import type { TurnContext } from './turn-context.js';
import type { LoopEnd } from './turn-outcome.js';
import type { TurnParts } from './turn-parts.js';

type Limit = NonNullable<TurnOutcome['limit']>;
type Limits = Pick<OrchestratorConfig, 'SKILLGATE_TURN_STEPS' | 'SKILLGATE_TURN_TOKENS' | 'SKILLGATE_TURN_USD' | 'SKILLGATE_TURN_MS'>;

const slugs: Readonly<Record<string, Limit>> = { 'turn-limit-steps': 'steps', 'turn-limit-tokens': 'tokens', 'turn-limit-cost': 'cost', 'turn-limit-time': 'time' };

export const timeLimit = (ms: number): Error => unavailable('turn-limit-time', `This turn reached its limit of ${ms / 1000} s. Ask for a smaller piece.`);

/** Before each model call. @throws refusal `turn-limit-steps`, `turn-limit-tokens` or `turn-limit-cost` */
export function checkLimits({ usage }: Pick<TurnContext, 'usage'>, limits: Limits, rounds: number): void {
  const { SKILLGATE_TURN_STEPS: steps, SKILLGATE_TURN_TOKENS: tokens, SKILLGATE_TURN_USD: usd } = limits;
  const say = (limit: Limit) => refuse(`turn-limit-${limit}`, `This turn reached ${limitOf(limit, limits)}. Ask for a smaller piece, or send "continue".`);
  if (rounds >= steps) throw say('steps');
  if (usage.promptTokens + usage.completionTokens >= tokens) throw say('tokens');
  if (usd !== undefined && usage.usd >= usd) throw say('cost');
}

/**
 * Ends a turn that reached one of its limits with an answer that says which. Where only the number of model calls is used up, the
 * model has the last word, without tools; where tokens, money or time are, a sentence of ours has to do.
 *
 * @param error what the loop ended with; anything but a limit is given back as it is
 */
export async function closeAtLimit(context: TurnContext, parts: TurnParts, error: unknown): Promise<LoopEnd> {
  const limit = isHouseError(error) ? slugs[error.slug] : undefined;
  if (!limit) return { error };
  const { publisher, log, turn } = context;
  log.info({ turn: turn.turn, limit }, 'a turn reached a limit and is closed with an answer');
  if (limit === 'steps') await lastWords(context, parts);
  const sentence = `[This answer ends here: the turn reached ${limitOf(limit, parts.config)}. Send "continue" to go on.]`;
  publisher.paragraph();
  try {
    publisher.delta(sentence);
  } catch (tooLong) {
    return { error: tooLong };
  }
  context.spoken = [context.spoken, sentence].filter(Boolean).join('\n\n');
  return { finishReason: 'length', limit };
}

async function lastWords(context: TurnContext, parts: TurnParts): Promise<void> {
  const { journal, log, turn } = context;
  journal.history.push({ kind: 'notice', text: 'This turn has used up its model calls. Answer now, with what you have and without tools, and say what is left to do.' });
  try {
    // Without tools the request has none and its history no calls: every provider takes that.
    const spoken = { ...context, toolsAllowed: false, turn: { ...turn, ...(turn.request && { request: { ...turn.request, clientTools: [] } }) } };
    await askUntilAnswered(spoken, parts).finally(() => (context.spoken = spoken.spoken));
  } catch (error) {
    log.warn({ err: error }, 'the model had no last word at the limit of its calls');
  }
}

function limitOf(limit: Limit, { SKILLGATE_TURN_STEPS: steps, SKILLGATE_TURN_TOKENS: tokens, SKILLGATE_TURN_USD: usd, SKILLGATE_TURN_MS: ms }: Limits): string {
  switch (limit) {
    case 'steps':
      return `its limit of ${steps} model calls`;
    case 'tokens':
      return `its limit of ${tokens} tokens`;
    case 'cost':
      return `its limit of ${usd} US dollars`;
    case 'time':
      return `its limit of ${ms / 1000} s`;
  }
}
