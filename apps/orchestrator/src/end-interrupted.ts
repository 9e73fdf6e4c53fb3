import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { LaunchParts } from './launch-turn.js';
import { newToChat } from './new-to-chat.js';
import type { TakenTurn } from './takeover-store.js';

/** Ends a turn with which nobody can go on, so that its user does not wait and its chat is free. */
export async function endInterrupted({ store, wire, log }: Pick<LaunchParts, 'store' | 'wire' | 'log'>, { turn, chat, steps, usage }: TakenTurn): Promise<void> {
  const outcome: TurnOutcome = {
    status: 'failed',
    answer: '',
    finishReason: 'error',
    error: { slug: 'turn-interrupted', message: 'The service that ran this turn went away before it ended. Send your message again.', correlationId: turn.traceId },
    artifacts: steps.flatMap((step) => (step.kind === 'tool' ? step.artifacts : [])),
    usage: { promptTokens: usage?.promptTokens ?? 0, completionTokens: usage?.completionTokens ?? 0, cachedTokens: usage?.cachedTokens ?? 0 },
  };
  const from = { items: chat.history.length, steps: steps.length };
  await store.end(turn, from, { items: newToChat(chat.history, []), steps: [], chat: {}, outcome });
  wire.publishTurn(turn.turn, { attempt: turn.attempt, n: 0, body: { type: 'ended', outcome } });
  log.error({ turn: turn.turn, attempt: turn.attempt }, 'a turn was given up: it cannot be gone on with, or went down with too many instances');
}
