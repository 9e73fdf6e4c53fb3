import { turnEnded, turnStarted, turnStepFinished } from '@skillgate/contracts/events/orchestrator';
import type { EventPayload } from '@skillgate/contracts/define-event';
import type { RouteStep } from '@skillgate/contracts/route';
import { enqueue, enqueueAll, outgoing } from '@skillgate/store/enqueue';
import { eventIdOf } from '@skillgate/store/event-id';
import type { EntityManager } from 'typeorm';
import { countEnded } from './usage-store.js';

/** Whose turn it is. */
export interface ToldTurn {
  readonly turn: string;
  readonly chat: string;
  readonly account: string;
  readonly user: string;
  readonly model: string;
}

// Each of these is called in the journal's own transaction, with the turn's row written or held: the events of a turn leave
// in the order of its journal. A commit that is made again after its word was lost tells the same under the same id.

export async function tellStarted(sql: EntityManager, { turn, chat, account, user, model }: ToldTurn): Promise<void> {
  const payload = { turn, chat, account, user, model, at: new Date().toISOString() };
  await enqueue(sql, turnStarted, payload, { aggregate: turn, id: eventIdOf('turn-started', turn) });
}

/** @param from place of the first step in the journal */
export async function tellSteps(sql: EntityManager, told: ToldTurn, from: number, steps: readonly RouteStep[]): Promise<void> {
  const { turn, chat, account, user } = told;
  const at = new Date().toISOString();
  const entries = steps.map((step, n) => {
    const payload = { turn, chat, account, user, step: from + n, kind: step.kind, ...whatHappened(step, told.model), ms: step.ms, at };
    return outgoing(turnStepFinished, payload, turn, eventIdOf('turn-step-finished', turn, from + n));
  });
  await enqueueAll(sql, entries);
}

function whatHappened(step: RouteStep, model: string): { name: string; decision: string } {
  switch (step.kind) {
    case 'model':
      return { name: model, decision: step.finish };
    case 'load':
      return { name: step.skill, decision: step.decision };
    case 'tool':
      return { name: step.tool, decision: step.decision };
  }
}

const ended = `
  SELECT id AS turn, chat, account, "user", model, status, outcome #>> '{error,slug}' AS reason, outcome -> 'usage' AS usage,
    greatest(extract(epoch FROM ended_at - started_at) * 1000, 0)::float AS ms, ended_at AS at
  FROM turns WHERE id = ANY ($1) AND status NOT IN ('running', 'waiting')`;

/**
 * Of turns that were ended in this transaction; what is told is what was written. Whoever ends a turn ends with this, so that
 * none ends untold or uncounted.
 */
export async function tellEnded(sql: EntityManager, turns: readonly string[]): Promise<void> {
  if (turns.length === 0) return;
  await countEnded(sql, turns);
  const rows = (await sql.query(ended, [turns])) as (Omit<EventPayload<typeof turnEnded>, 'at'> & { at: Date })[];
  await enqueueAll(
    sql,
    rows.map(({ at, ...row }) => outgoing(turnEnded, { ...row, at: at.toISOString() }, row.turn, eventIdOf('turn-ended', row.turn))),
  );
}
