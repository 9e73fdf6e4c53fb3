import { userContent } from '@skillgate/contracts/calls/orchestrator';
import { z } from 'zod';

/** A vendor's call as clients keep it from an answer. */
const toolCall = z.object({
  id: z.string().min(1).max(200),
  type: z.literal('function', 'must be "function".').default('function'),
  function: z.object({ name: z.string().max(200), arguments: z.string() }),
});

/** Words of a message; parts of an answer that was refused count as its words. */
const said = z.object({ role: z.enum(['system', 'developer', 'user']), content: userContent });
const answered = z.object({ role: z.literal('assistant'), content: userContent.nullish(), tool_calls: z.array(toolCall).max(256).nullish() });
const result = z.object({ role: z.literal('tool'), tool_call_id: z.string().min(1).max(200), content: userContent });

/** One message as clients send it: https://platform.openai.com/docs/api-reference/chat/create#chat_create-messages */
export const chatMessage = z
  .discriminatedUnion('role', [said, answered, result], {
    error: (issue) =>
      issue.code === 'invalid_union' ? 'role must be system, developer, user, assistant or tool.' : undefined,
  })
  .refine((message) => message.role !== 'assistant' || message.content != null || (message.tool_calls?.length ?? 0) > 0, {
    message: 'an assistant message has content, tool_calls or both.',
  });
export type ChatMessage = z.infer<typeof chatMessage>;

/** Place in `messages` of the first result of a call that no message before it makes; -1 for none. */
export function strayResult(messages: readonly ChatMessage[]): number {
  const known = new Set<string>();
  return messages.findIndex((message) => {
    if (message.role === 'assistant') for (const { id } of message.tool_calls ?? []) known.add(id);
    return message.role === 'tool' && !known.has(message.tool_call_id);
  });
}
