import { SpanKind } from '@opentelemetry/api';
import { refuse } from '@skillgate/contracts/refusal';
import type { ClientCall } from '@skillgate/contracts/turn-stream';
import { askWithinWindow } from './ask-within-window.js';
import { checkLimits, closeAtLimit } from './close-at-limit.js';
import { endTurn, leaveTurn } from './end-turn.js';
import { finishReasonOf } from './finish-reason.js';
import { isLeft } from './leave-turn.js';
import { prepareTurn } from './prepare-turn.js';
import { refreshRights } from './refresh-rights.js';
import { type Done, nothingDone, retell } from './resume-turn.js';
import { runRound } from './run-round.js';
import { closeUnfinished, settleRound } from './settle-round.js';
import { inSpan } from './spans.js';
import { isWaiting } from './suspend-turn.js';
import type { TakenTurn } from './takeover-store.js';
import type { TurnContext } from './turn-context.js';
import { factsOf } from './turn-facts.js';
import type { LoopEnd } from './turn-outcome.js';
import type { TurnParts } from './turn-parts.js';
import type { ChatState } from './turn-records.js';

/**
 * One turn, from its place in the chat to the committed answer. However it ends, the journal and the stream say so. The
 * catalog is asked while `begun`, the commit of the user's message, is under way; when that fails, nothing has happened.
 *
 * @param taken what earlier attempts have left in the journal: it is not done again
 */
export function runTurn(context: TurnContext, parts: TurnParts, chat: ChatState, begun: Promise<void>, taken?: TakenTurn): Promise<void> {
  const { turn, publisher, signal } = context;
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'skillgate',
    'gen_ai.conversation.id': turn.chat,
    'gen_ai.request.model': turn.model,
    'skillgate.turn.id': turn.turn,
    'skillgate.plan': turn.plan,
    'skillgate.turn.attempt': turn.attempt,
  };
  return inSpan(context, 'invoke_agent skillgate', attributes, async (span) => {
    const prepared = prepareTurn(context, chat);
    prepared.catch(() => undefined); // the loop hears it
    await begun;
    publisher.progress({ stage: 'accepted', message: taken?.waited ? 'The turn goes on after what you said' : taken ? 'The turn goes on after an interruption' : 'The turn has begun' });
    const monolith = parts.monolith();
    const end: LoopEnd = await loop(context, parts, prepared, taken).then(
      (ended) => ended,
      (error: unknown) => closeAtLimit(context, parts, signal.aborted ? signal.reason : error), // what a stopped turn fails with is a consequence
    );
    const reason = 'error' in end ? end.error : undefined;
    if (isWaiting(reason)) return void span.setAttribute('skillgate.turn.status', 'waiting');
    const outcome = isLeft(reason) ? await leaveTurn(context, reason) : await endTurn(context, end, await monolith);
    span.setAttribute('skillgate.turn.status', outcome?.status ?? 'left');
    if (!outcome) return;
    const { tokens, catalogHash, catalogLines } = factsOf(context, await monolith);
    for (const [part, count] of Object.entries(tokens)) span.setAttribute(`skillgate.tokens.${part}`, count);
    if (catalogHash) span.setAttribute('skillgate.catalog.hash', catalogHash);
    for (const [line, count] of Object.entries(catalogLines ?? {})) span.setAttribute(`skillgate.catalog.${line}`, count);
    if (outcome.error) span.setAttribute('error.type', outcome.error.slug);
  }, SpanKind.INTERNAL, context.links);
}

async function loop(context: TurnContext, parts: TurnParts, prepared: Promise<void>, taken?: TakenTurn): Promise<LoopEnd> {
  const { journal, publisher, signal } = context;
  const done = taken ? await resume(context, parts, prepared, taken) : nothingDone;
  await prepared;
  if (done.handed) return handOver(done.handed);
  let callsLeft = parts.config.SKILLGATE_TURN_CALLS - done.calls;
  let saved: Promise<void> = Promise.resolve();
  for (let step = done.rounds; ; step++) {
    signal.throwIfAborted();
    await refreshRights(context);
    checkLimits(context, parts.config, step);
    publisher.progress({ stage: 'thinking', message: step === 0 ? 'Asking the model' : 'Asking the model again' });
    const answer = await askWithinWindow(context, parts);
    await saved; // the last round was written down while the model worked on this one
    if (answer.calls.length === 0) return { finishReason: finishReasonOf(answer) };
    const handed = await runRound(context, answer.text, answer.calls, callsLeft);
    context.spoken = '';
    if (handed.length > 0) return handOver(handed);
    callsLeft -= answer.calls.length;
    publisher.paragraph();
    saved = journal.save(factsOf(context, null));
    // Heard above, or by the end of the turn, which writes it all again; who lost the turn asks the model nothing more.
    saved.catch((error: Error) => isLeft(error) && context.leave(error));
  }
}

/**
 * Goes on where the last commit of an earlier attempt stands. A round that was being worked on is settled first, whatever
 * becomes of the turn: what had happened is recorded before anything else happens.
 */
async function resume(context: TurnContext, parts: TurnParts, prepared: Promise<void>, taken: TakenTurn): Promise<Done> {
  const { journal, publisher, signal } = context;
  const { round } = taken;
  const done = retell(context, taken);
  if (!round) return done;
  const unanswered = [...taken.approvals.values()].some(({ status }) => status === 'pending');
  const settled = await settleRound(context, round);
  const unprepared = await prepared.then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (unprepared || unanswered || signal.aborted) {
    await closeUnfinished(context, round, new Map([...settled, ...(await settleRound(context, round, true))]));
    throw signal.aborted ? signal.reason : unanswered ? nobodyAnswered() : unprepared!.error;
  }
  const handed = await runRound(context, round.text, round.calls, parts.config.SKILLGATE_TURN_CALLS - done.calls, settled);
  publisher.paragraph();
  await journal.save(factsOf(context, null));
  return { rounds: done.rounds, calls: done.calls + round.calls.length, ...(handed.length > 0 && { handed }) };
}

/** The round is whole but for what the client answers: the turn ends, and its next request goes on. */
const handOver = (calls: readonly ClientCall[]): LoopEnd => ({ finishReason: 'stop', calls });

const nobodyAnswered = (): Error =>
  refuse('approval-timeout', 'Nobody approved or denied in time what this turn was about to do, so it was not done. Send your message again.');
