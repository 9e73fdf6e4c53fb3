import { waiting } from '@skillgate/contracts/approval';
import { artifactRef } from '@skillgate/contracts/tool-call';
import { chatId, turnId } from '@skillgate/contracts/words';
import { z } from 'zod';

/** For the OpenAPI document: what `chat-chunks.ts` and `vendor-error.ts` write. */
export const chatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable().describe('Null where there are calls and nothing was said.'),
        refusal: z.null(),
        tool_calls: z
          .array(z.object({ id: z.string(), type: z.literal('function'), function: z.object({ name: z.string(), arguments: z.string() }) }))
          .optional()
          .describe('Calls of your own tools. Send their results as `tool` messages.'),
      }),
      finish_reason: z.enum(['stop', 'length', 'content_filter', 'tool_calls']),
      logprobs: z.null(),
    }),
  ),
  usage: z.object({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  }),
  skillgate: z.object({ turn: turnId, chat: chatId, artifacts: z.array(artifactRef), waiting: waiting.optional(), dropped: z.array(z.string()).optional().describe('Options that the model does not take and that were left out.') }),
});

export const vendorErrorBody = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().describe('Stable name of the problem; branch on it.'),
    correlation_id: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional().describe('Facts: of a 429 the `limit`, what was `used`, and `resetsAt`.'),
  }),
});

export const modelCard = z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() });
export const modelList = z.object({ object: z.literal('list'), data: z.array(modelCard) });
