import { randomUUID } from 'node:crypto';
import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import { isHouseError, unavailable } from '@skillgate/contracts/refusal';
import { storableCopy } from './append-store.js';
import { type AskedCall, waitingOf } from './approvals-store.js';
import type { PlannedCall } from './run-round.js';
import type { TurnContext } from './turn-context.js';
import { factsOf } from './turn-facts.js';
import type { OpenRound } from './turn-records.js';

/** The turn waits for its user and has no instance: no error of the turn, and nothing more is written to it from here. */
const waits = (): Error => unavailable('turn-waiting', 'This turn waits for its user.');
export const isWaiting = (error: unknown): boolean => isHouseError(error) && error.slug === 'turn-waiting';

/** Does this call wait for its user's yes? Not one that is decided, nor one that the account may not make in any case. */
export function needsYes({ held, decided }: TurnContext, { id, decoded }: PlannedCall): boolean {
  if (decoded.kind !== 'tool' || decided.has(id)) return false;
  return held.grantedTools.some(({ name, policy, offer }) => name === decoded.name && policy === 'confirm' && offer !== undefined);
}

/**
 * Writes down what the user is asked, with the round as it stands, and lets the turn go. None of the round's calls has been sent: they
 * keep their order, and what one of them is refused for may matter to the others.
 *
 * @throws always: `turn-waiting` when it is written down, what `Journal.suspend` throws, or the signal's reason
 */
export async function suspendTurn(context: TurnContext, { text, calls }: Pick<OpenRound, 'text' | 'calls'>, asking: readonly PlannedCall[]): Promise<never> {
  const { signal, journal, publisher, usage, held, spoken, log, turn } = context;
  signal.throwIfAborted();
  const asked = asking.flatMap(({ id: callId, decoded }): AskedCall[] => {
    const tool = held.tool(decoded.name);
    if (!tool?.offer) return [];
    const { name, executor, profile, skill, effect, offer, inputSchema } = tool;
    const args = storableCopy(decoded.arguments); // as it will be read again: what is hashed is what is sent
    return [{ id: randomUUID(), callId, tool: name, executor, profile, skill, effect, arguments: args, argumentsHash: argumentsHash(args), offer, inputSchema }];
  });
  journal.openRound({ text, calls, intents: {}, said: publisher.text });
  const { until, askedAt } = await journal.suspend(asked, factsOf(context, null));
  const approvals = asked.map(({ offer: _offer, inputSchema: _schema, ...call }) => ({ ...call, askedAt: askedAt.toISOString() }));
  const tools = [...new Set(asked.map(({ tool }) => tool))].join(', ');
  publisher.progress({ stage: 'working', message: `Waiting for your approval: ${tools}`.slice(0, 300), waiting: waitingOf(publisher.text, approvals, until, usage) });
  log.info({ turn: turn.turn, calls: asked.length, spoken: spoken.length }, 'a turn waits for its user');
  throw waits();
}
