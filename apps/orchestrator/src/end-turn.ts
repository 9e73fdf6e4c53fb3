import { isHouseError } from '@skillgate/contracts/refusal';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { Monolith } from './monolith.js';
import { lastWord } from './last-word.js';
import { isLeft } from './leave-turn.js';
import type { TurnContext } from './turn-context.js';
import { factsOf } from './turn-facts.js';
import { type LoopEnd, outcomeOf } from './turn-outcome.js';

/**
 * The last commit, then the last word: `ended` is true in the journal before anybody hears it. What the journal could not
 * take has not happened: nobody is told so, and whoever takes the turn over ends it.
 *
 * @returns null when the turn goes on elsewhere
 */
export async function endTurn(context: TurnContext, end: LoopEnd, monolith: Monolith | null): Promise<TurnOutcome | null> {
  const { journal, publisher, log, turn } = context;
  publisher.flush();
  const outcome = outcomeOf(context, end);
  // Calls that the client has are the last word: their results must follow them.
  if (!outcome.calls) journal.history.push(lastWord(context.spoken, outcome));
  try {
    await journal.end(outcome, factsOf(context, monolith));
    publisher.ended(outcome);
    return outcome;
  } catch (error) {
    if (isLeft(error)) tellLeft(context, error);
    else log.error({ err: error, turn: turn.turn }, 'the end of a turn could not be written down; its lease will lapse, and another attempt ends it');
    return null;
  }
}

/** Leaves a turn as it stands: its successor goes on from the last commit. */
export async function leaveTurn(context: TurnContext, reason: unknown): Promise<null> {
  const { publisher, journal, turn, log } = context;
  publisher.flush();
  tellLeft(context, reason);
  try {
    await journal.release(); // does nothing when somebody else has it already
  } catch (error) {
    log.warn({ err: error, turn: turn.turn }, 'a turn could not be given away; it is taken over when its lease lapses');
  }
  return null;
}

function tellLeft({ turn, log }: TurnContext, reason: unknown): void {
  const { turn: id, attempt } = turn;
  const fenced = isHouseError(reason) && reason.slug === 'turn-not-held';
  if (fenced) log.warn({ turn: id, attempt }, 'a turn was taken over by another instance; this one stopped working on it');
  else log.info({ turn: id, attempt }, 'a turn was handed over');
}
