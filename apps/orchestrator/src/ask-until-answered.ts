import { setTimeout as pause } from 'node:timers/promises';
import { askInSpan } from './ask-in-span.js';
import type { ModelAnswer } from './ask-model.js';
import { buildRequest, measurable } from './build-request.js';
import { nextTry } from './retry-model.js';
import type { TurnContext } from './turn-context.js';
import type { TurnParts } from './turn-parts.js';

/**
 * The model's next answer. What fails before its first word is tried again with growing pauses, then with the other models that
 * the operator names; the user has seen nothing of it. Once text was shown it is not asked for again: the turn ends and says where
 * the answer stops. Which model answered last comes first from then on.
 *
 * @throws as `askModel`, and unavailable `model-empty`: what the last try came to
 */
export async function askUntilAnswered(context: TurnContext, parts: TurnParts): Promise<ModelAnswer> {
  const { publisher, signal, meter, log } = context;
  const entries = [context.answering, ...parts.fallbacks.filter(({ id, usesTools }) => id !== context.answering.id && (usesTools || !context.toolsAllowed))];
  let failure: unknown;
  for (const entry of entries) {
    const inPlan = { ...entry, plan: context.entry.plan }; // what the chat holds fits the turn's plan
    const request = buildRequest(context, parts.sampling, inPlan);
    meter.sent(measurable(context, request, inPlan));
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await askInSpan(context, parts, request, inPlan, tries);
        context.answering = entry;
        return answer;
      } catch (error) {
        failure = error;
        const next = signal.aborted || context.spoken !== '' ? 'none' : nextTry(error, tries);
        if (next === 'none') throw error;
        if (next === 'next-model') break;
        publisher.progress({ stage: 'thinking', message: `The model is busy; asking again in ${Math.ceil(next.after / 1000)} s` });
        await pause(next.after, undefined, { signal });
      }
    }
    log.warn({ err: failure, model: entry.id }, 'a model gave no answer; the next one is asked, if there is one');
  }
  throw failure;
}
