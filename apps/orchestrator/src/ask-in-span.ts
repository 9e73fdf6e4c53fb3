import { SpanKind } from '@opentelemetry/api';
import { askModel, type ModelAnswer } from './ask-model.js';
import type { ModelRequest } from './build-request.js';
import { inSpan } from './spans.js';
import type { TurnContext } from './turn-context.js';
import type { TurnParts } from './run-turn.js';

/** One model call with its span `chat {model}`, its step in the journal and its text on the user's stream. */
export function askInSpan(context: TurnContext, { client, config }: TurnParts, request: ModelRequest): Promise<ModelAnswer> {
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': request.model, 'gen_ai.conversation.id': context.turn.chat };
  return inSpan(
    context,
    `chat ${request.model}`,
    attributes,
    async (span) => {
      const started = performance.now();
      const onText = (text: string) => context.publisher.delta(text);
      const answer = await askModel(client, request, { signal: context.signal, stallMs: config.SKILLGATE_MODEL_STALL_MS, onText });
      const { usage, finish, problems } = answer;
      for (const problem of problems) context.log.warn({ problem }, 'the model sent a piece of a call that belongs to none');
      span.setAttribute('gen_ai.response.finish_reasons', [finish]);
      if (usage) {
        span.setAttribute('gen_ai.usage.input_tokens', usage.inputTokens);
        span.setAttribute('gen_ai.usage.output_tokens', usage.outputTokens);
        span.setAttribute('gen_ai.usage.cache_read.input_tokens', usage.cachedTokens);
      }
      const tokens = usage ?? { inputTokens: null, outputTokens: null, cachedTokens: null };
      context.journal.steps.push({ kind: 'model', ms: Math.round(performance.now() - started), ...tokens, finish });
      return answer;
    },
    SpanKind.CLIENT,
  );
}
