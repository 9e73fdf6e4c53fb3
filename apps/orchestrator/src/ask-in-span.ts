import { SpanKind } from '@opentelemetry/api';
import { countTokens } from '@skillgate/prompt/count-tokens';
import { askModel, type ModelAnswer } from './ask-model.js';
import type { ModelRequest } from './build-request.js';
import { errorType, inSpan } from './spans.js';
import type { TurnContext } from './turn-context.js';
import type { TurnParts } from './turn-parts.js';

/** One model call with its span `chat {model}`, its step in the journal and its text on the user's stream. */
export function askInSpan(context: TurnContext, { client, config }: TurnParts, request: ModelRequest): Promise<ModelAnswer> {
  const { publisher, signal, journal, log } = context;
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': request.model, 'gen_ai.conversation.id': context.turn.chat };
  const started = performance.now();
  const step = (finish: string, usage: ModelAnswer['usage']) => {
    const tokens = usage ?? { inputTokens: null, outputTokens: null, cachedTokens: null };
    journal.steps.push({ kind: 'model', ms: Math.round(performance.now() - started), ...tokens, finish });
  };
  const onText = (text: string) => {
    publisher.delta(text);
    context.spoken += text;
  };
  const onPause = (ms: number) => publisher.progress({ stage: 'thinking', message: `The model is busy; asking again in ${Math.ceil(ms / 1000)} s` });
  return inSpan(
    context,
    `chat ${request.model}`,
    attributes,
    async (span) => {
      try {
        const answer = await askModel(client, request, { signal, stallMs: config.SKILLGATE_MODEL_STALL_MS, onText, onPause });
        const { usage, finish, problems } = answer;
        for (const problem of problems) log.warn({ problem }, 'the model sent a piece of a call that belongs to none');
        span.setAttribute('gen_ai.response.finish_reasons', [finish]);
        if (usage) {
          span.setAttribute('gen_ai.usage.input_tokens', usage.inputTokens);
          span.setAttribute('gen_ai.usage.output_tokens', usage.outputTokens);
          span.setAttribute('gen_ai.usage.cache_read.input_tokens', usage.cachedTokens);
        }
        addUsage(context, answer);
        step(finish, usage);
        return answer;
      } catch (error) {
        step(errorType(error), null);
        throw error;
      }
    },
    SpanKind.CLIENT,
  );
}

/** As the provider reports it, else as counted here. */
function addUsage({ usage: sum, meter }: TurnContext, { usage, text, calls }: ModelAnswer): void {
  sum.promptTokens += usage?.inputTokens ?? meter.promptTokens;
  sum.completionTokens += usage?.outputTokens ?? countTokens(text) + calls.reduce((tokens, call) => tokens + countTokens(call.name + call.arguments), 0);
  sum.cachedTokens += usage?.cachedTokens ?? 0;
}
