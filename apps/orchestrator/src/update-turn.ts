import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { EntityManager } from 'typeorm';
import { storable } from './append-store.js';
import type { TurnFacts } from './entities.js';
import type { NewTurn, OpenRound, Spent } from './turn-records.js';

/** What changes of a running turn's own row; what is absent stays. */
export interface TurnChange {
  facts?: Partial<TurnFacts> | undefined;
  /** The facts are those that changed: the others stay as they were written. */
  amend?: boolean;
  round?: OpenRound | null | undefined;
  usage?: Spent | undefined;
  /** Ends the turn. */
  outcome?: TurnOutcome | undefined;
}

/** @returns false when the turn is not this attempt's any more, or not running */
export async function updateTurn(sql: EntityManager, { turn, attempt }: Pick<NewTurn, 'turn' | 'attempt'>, change: TurnChange): Promise<boolean> {
  const { facts, amend = false, round, usage, outcome } = change;
  const values: unknown[] = [turn, attempt];
  const sets: string[] = [];
  const set = (column: string, value: unknown, sqlOf = (at: string) => at) => {
    values.push(value === null ? null : storable(value));
    sets.push(`${column} = ${sqlOf(`$${values.length}::jsonb`)}`);
  };
  if (facts) set('facts', facts, (at) => (amend ? `coalesce(facts, '{}') || ${at}` : at));
  if (round !== undefined) set('round', round);
  if (usage) set('usage', usage);
  if (outcome) {
    set('outcome', outcome);
    values.push(outcome.status);
    sets.push(`status = $${values.length}`, 'ended_at = now()', 'request = NULL'); // the request holds the ticket: nobody needs it any more
  }
  if (sets.length === 0) sets.push('attempt = attempt'); // the row is locked all the same
  const text = `UPDATE turns SET ${sets.join(', ')} WHERE id = $1 AND status = 'running' AND attempt = $2`;
  const [, affected] = (await sql.query(text, values)) as [unknown[], number];
  return affected > 0;
}
