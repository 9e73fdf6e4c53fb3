import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type OpenAI from 'openai';
import { askInSpan } from './ask-in-span.js';
import type { ModelAnswer } from './ask-model.js';
import { buildRequest, type ModelRequest } from './build-request.js';
import type { OrchestratorConfig } from './config.js';
import type { Monolith } from './monolith.js';
import { prepareTurn } from './prepare-turn.js';
import { runRound } from './run-round.js';
import { inSpan } from './spans.js';
import type { TurnContext } from './turn-context.js';
import { factsOf } from './turn-facts.js';
import { type LoopEnd, outcomeOf } from './turn-outcome.js';
import type { ChatState } from './turn-store.js';

export interface TurnParts {
  readonly client: OpenAI;
  readonly config: OrchestratorConfig;
  readonly monolith: () => Promise<Monolith | null>;
  /** Options of the request that the model gets as they came. */
  readonly sampling: Record<string, unknown>;
}

/**
 * One turn, from the committed user message to the committed answer. Never rejects: however it ends, the journal and
 * the stream say so.
 */
export async function runTurn(context: TurnContext, parts: TurnParts, chat: ChatState): Promise<void> {
  const { turn, journal, publisher, log } = context;
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'skillgate',
    'gen_ai.conversation.id': turn.chat,
    'gen_ai.request.model': turn.model,
    'skillgate.turn.id': turn.turn,
    'skillgate.plan': turn.plan,
  };
  const requests: ModelRequest[] = [];
  const work = inSpan(context, 'invoke_agent skillgate', attributes, async (span) => {
    const end: LoopEnd = await loop(context, parts, chat, requests).then(
      (finishReason) => ({ finishReason }),
      (error: unknown) => ({ error }),
    );
    publisher.flush();
    const outcome = outcomeOf(context, end);
    if ('error' in end && publisher.text) journal.history.push({ kind: 'assistant', text: publisher.text, calls: [] });
    const facts = factsOf(context, { first: requests[0], last: requests.at(-1), monolith: await parts.monolith() });
    for (const [part, tokens] of Object.entries(facts.tokens)) span.setAttribute(`skillgate.tokens.${part}`, tokens);
    if (facts.catalogHash) span.setAttribute('skillgate.catalog.hash', facts.catalogHash);
    span.setAttribute('skillgate.turn.status', outcome.status);
    if (outcome.error) span.setAttribute('error.type', outcome.error.slug);
    await journal.end(outcome, facts);
    publisher.ended(outcome);
  });
  await work.catch((error: unknown) => log.error({ err: error, turn: turn.turn }, 'a turn ended without its journal; its lease will lapse'));
}

async function loop(context: TurnContext, parts: TurnParts, chat: ChatState, requests: ModelRequest[]): Promise<TurnOutcome['finishReason']> {
  const { journal, publisher, signal } = context;
  const limits = parts.config;
  await prepareTurn(context, chat);
  let callsLeft = limits.SKILLGATE_TURN_CALLS;
  for (let step = 0; step < limits.SKILLGATE_TURN_STEPS; step++) {
    publisher.progress({ stage: 'thinking', message: step === 0 ? 'Asking the model' : 'Asking the model again' });
    const request = buildRequest(context, parts.sampling);
    requests.push(request);
    const answer = await askInSpan(context, parts, request);
    if (answer.calls.length === 0) {
      journal.history.push({ kind: 'assistant', text: answer.text, calls: [] });
      return finishReasonOf(answer);
    }
    await runRound(context, answer.text, answer.calls, callsLeft);
    callsLeft -= answer.calls.length;
    publisher.paragraph();
    await journal.save(factsOf(context));
    signal.throwIfAborted();
  }
  throw refuse('turn-limit-steps', `This turn reached its limit of ${limits.SKILLGATE_TURN_STEPS} model calls. Ask for a smaller piece, or send "continue".`);
}

/** @throws unavailable `model-cut` or `model-empty`: half an answer must not pass for a whole one */
function finishReasonOf({ finish, text }: ModelAnswer): TurnOutcome['finishReason'] {
  if (finish === 'length' || finish === 'content_filter') return finish;
  if (finish === 'cut') throw unavailable('model-cut', 'The model stopped in mid-answer. Send your message again.');
  if (text.trim() === '') throw unavailable('model-empty', 'The model gave an empty answer. Send your message again.');
  return 'stop';
}
