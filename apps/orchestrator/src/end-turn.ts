import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { Monolith } from './monolith.js';
import { lastWord } from './last-word.js';
import type { TurnContext } from './turn-context.js';
import { factsOf } from './turn-facts.js';
import { type LoopEnd, outcomeOf } from './turn-outcome.js';

/**
 * The last commit, then the last word: `ended` is true in the journal before anybody hears it. What the journal could not
 * take has not happened: the user is told so, and the lease runs out.
 */
export async function endTurn(context: TurnContext, end: LoopEnd, monolith: Monolith | null): Promise<TurnOutcome> {
  const { journal, publisher, log, turn } = context;
  publisher.flush();
  const outcome = outcomeOf(context, end);
  journal.history.push(lastWord(context.spoken, outcome));
  try {
    await journal.end(outcome, factsOf(context, monolith));
    publisher.ended(outcome);
    return outcome;
  } catch (error) {
    log.error({ err: error, turn: turn.turn }, 'the end of a turn could not be written down; its lease will lapse');
    const lost = outcomeOf(context, { error });
    publisher.ended(lost);
    return lost;
  }
}
