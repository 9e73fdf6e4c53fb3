import { userContent } from '@skillgate/contracts/calls/orchestrator';
import { plainText } from '@skillgate/contracts/plain-text';
import { artifactId, chatId, skillStates } from '@skillgate/contracts/words';
import { z } from 'zod';

const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant'], {
    error: (issue) =>
      issue.input === 'tool' || issue.input === 'function'
        ? 'tools run inside the platform, so a conversation has no tool messages; send system, developer, user and assistant ones only.'
        : 'must be system, developer, user or assistant.',
  }),
  content: userContent,
});

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
    messages: z.array(message).min(1, 'must hold at least one message.'),
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
      .array(z.unknown())
      .max(0, 'must be empty: tools belong to the platform and are opened by its skills. Remove the field.')
      .nullish(),
    tool_choice: z.enum(['none', 'auto'], 'must be "none" or "auto": skills decide which tools are there.').nullish(),
    response_format: z.object({ type: z.literal('text', 'only "text" is served.') }).nullish(),
    logprobs: z.literal(false, 'log probabilities are not served; remove the field.').nullish(),

    user: ignored(z.string()),
    metadata: ignored(z.record(z.string(), z.string())),
    store: ignored(z.boolean()),
    frequency_penalty: ignored(z.number()),
    presence_penalty: ignored(z.number()),
    logit_bias: ignored(z.record(z.string(), z.number())),
    parallel_tool_calls: ignored(z.boolean()),
    prompt_cache_key: ignored(z.string()),
    reasoning_effort: ignored(z.string()),
    safety_identifier: ignored(z.string()),
    service_tier: ignored(z.string()),
    verbosity: ignored(z.string()),
  })
  .describe('An OpenAI-compatible chat completion request.');
export type ChatRequest = z.infer<typeof chatRequest>;
