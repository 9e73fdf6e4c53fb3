import { SpanKind } from '@opentelemetry/api';
import type { ModelEntry } from '@skillgate/prompt/models';
import { askModel, type ModelAnswer } from './ask-model.js';
import type { ModelRequest } from './build-request.js';
import { incomplete } from './finish-reason.js';
import { errorType, inSpan } from './spans.js';
import { spend } from './spend.js';
import type { TurnContext } from './turn-context.js';
import type { TurnParts } from './turn-parts.js';

/**
 * One try of a model call with its span `chat {model}`, its step in the journal and its text on the user's stream.
 *
 * @throws as `askModel`, and unavailable `model-empty` or `model-cut` for what cannot pass for an answer
 */
export function askInSpan(context: TurnContext, { client, config }: TurnParts, request: ModelRequest, entry: ModelEntry, tries: number): Promise<ModelAnswer> {
  const { publisher, signal, journal, log } = context;
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': request.model, 'gen_ai.conversation.id': context.turn.chat };
  const started = performance.now();
  const step = (finish: string, usage: ModelAnswer['usage'], usd?: number | null) => {
    const tokens = usage ?? { inputTokens: null, outputTokens: null, cachedTokens: null };
    journal.steps.push({ kind: 'model', ms: Math.round(performance.now() - started), ...tokens, tokens: context.meter.parts, ...(usd !== undefined && { usd }), finish, model: request.model, try: tries });
  };
  const onText = (text: string) => {
    publisher.delta(text);
    context.spoken += text;
  };
  return inSpan(
    context,
    `chat ${request.model}`,
    attributes,
    async (span) => {
      let told = false;
      try {
        const answer = await askModel(client, request, { signal, stallMs: config.SKILLGATE_MODEL_STALL_MS, onText, ...(entry.keeps && { keeps: entry.keeps }) });
        const { usage, finish, problems } = answer;
        for (const problem of problems) log.warn({ problem }, 'the model sent a piece of a call that belongs to none');
        span.setAttribute('gen_ai.response.finish_reasons', [finish]);
        if (usage) {
          span.setAttribute('gen_ai.usage.input_tokens', usage.inputTokens);
          span.setAttribute('gen_ai.usage.output_tokens', usage.outputTokens);
          span.setAttribute('gen_ai.usage.cache_read.input_tokens', usage.cachedTokens);
        }
        const { usd } = spend(context, entry, answer, () => context.meter.promptTokens);
        const failure = incomplete(answer);
        step(failure?.slug ?? finish, usage, usd);
        told = true;
        if (failure) throw failure;
        return answer;
      } catch (error) {
        if (!told) step(errorType(error), null);
        throw error;
      }
    },
    SpanKind.CLIENT,
  );
}
