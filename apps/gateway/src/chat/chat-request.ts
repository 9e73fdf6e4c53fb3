import { clientTool } from '@skillgate/contracts/calls/orchestrator';
import { plainText } from '@skillgate/contracts/plain-text';
import { artifactId, chatId, skillStates } from '@skillgate/contracts/words';
import { z } from 'zod';
import { chatMessage } from './chat-message.js';

const functionTool = z.object({ type: z.literal('function', 'must be "function": other kinds of tools are not served.'), function: clientTool });

/** Whether and what the model must call; `allowed_tools` and custom tools of the vendor are not served. */
const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string().max(64) }) }),
]);

const responseFormat = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text') }),
    z.object({ type: z.literal('json_object') }),
    z.object({
      type: z.literal('json_schema'),
      json_schema: z.object({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().optional(),
        schema: z.record(z.string(), z.unknown()).optional(),
        strict: z.boolean().nullish(),
      }),
    }),
  ],
  'type must be "text", "json_object" or "json_schema".',
);

/** Standard fields that are accepted and have no effect here; each says so in the OpenAPI document. */
const ignored = (schema: z.ZodType) => schema.nullish().describe('Accepted and ignored.');

/** Our options; standard clients never send them. */
export const skillgateOptions = z.strictObject({
  chat_id: chatId
    .optional()
    .describe('Continues this chat: only the messages after the last assistant message are read, the history is the stored one.'),
  skills: skillStates.optional().describe('Skill states for this turn alone. A skill that is not there is refused by name, and no turn begins.'),
  artifacts: z.array(artifactId).max(20).optional().describe('Uploaded files that this turn works on.'),
  progress: z
    .boolean()
    .optional()
    .describe('True: chunks carry `skillgate.progress` and `skillgate.artifact`; else progress comes as SSE comments.'),
});

/**
 * Body of `POST /v1/chat/completions`. A field that is not listed is refused by name, so that no option is silently
 * without effect. Field names: https://platform.openai.com/docs/api-reference/chat/create
 */
export const chatRequest = z
  .strictObject({
    model: plainText(1, 200),
    messages: z.array(chatMessage).min(1, 'must hold at least one message.'),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
    seed: z.int().nullish(),
    max_tokens: z.int().positive().nullish().describe('Older name of `max_completion_tokens`.'),
    max_completion_tokens: z.int().positive().nullish(),
    skillgate: skillgateOptions.optional(),

    n: z.literal(1, 'must be 1: a turn has one answer.').nullish(),
    tools: z
      .array(functionTool)
      .max(128)
      .refine((tools) => new Set(tools.map((tool) => tool.function.name)).size === tools.length, 'must not name a tool twice.')
      .nullish()
      .describe('Tools of your own, beside those of the platform: a call of one ends the request with `finish_reason` `tool_calls`.'),
    tool_choice: toolChoice
      .nullish()
      .describe('`required` asks for a call of one of your tools, or without any for one of ours.'),
    parallel_tool_calls: z.boolean().nullish(),
    response_format: responseFormat.nullish(),
    frequency_penalty: z.number().min(-2).max(2).nullish(),
    presence_penalty: z.number().min(-2).max(2).nullish(),
    logit_bias: z.record(z.string().regex(/^\d+$/), z.number().min(-100).max(100)).nullish(),
    reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
    verbosity: z.enum(['low', 'medium', 'high']).nullish(),
    logprobs: z.literal(false, 'log probabilities are not served; remove the field.').nullish(),

    user: ignored(z.string()),
    metadata: ignored(z.record(z.string(), z.string())),
    store: ignored(z.boolean()),
    prompt_cache_key: ignored(z.string()),
    safety_identifier: ignored(z.string()),
    service_tier: ignored(z.string()),
  })
  .superRefine(({ tools, tool_choice }, context) => {
    if (typeof tool_choice !== 'object' || tool_choice === null) return;
    const { name } = tool_choice.function;
    if (tools?.some((tool) => tool.function.name === name)) return;
    context.addIssue({ code: 'custom', path: ['tool_choice'], message: `names "${name}", which is none of "tools".` });
  })
  .describe('An OpenAI-compatible chat completion request.');
export type ChatRequest = z.infer<typeof chatRequest>;
