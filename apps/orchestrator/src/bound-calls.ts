import { refuse } from '@skillgate/contracts/refusal';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';

/** Characters of arguments in one answer: more than any tool takes, less than what makes a service stand still. */
export const mostArgumentCharacters = 1_000_000;
/** Pieces with a name, and so calls, in one answer. */
export const mostCalls = 256;

/**
 * Counts what an answer asks for while it streams, so that a model which runs away is stopped and not listened to.
 *
 * @throws refusal `turn-limit-calls`
 */
export function boundCalls(): { take(chunk: ChatCompletionChunk): void } {
  let characters = 0;
  let calls = 0;
  return {
    take(chunk) {
      for (const piece of chunk.choices?.[0]?.delta?.tool_calls ?? []) {
        characters += piece?.function?.arguments?.length ?? 0;
        if (piece?.function?.name) calls += 1;
      }
      if (calls <= mostCalls && characters <= mostArgumentCharacters) return;
      throw refuse('turn-limit-calls', `The model asked for more in one answer than this platform takes (${mostCalls} calls, ${mostArgumentCharacters} characters of arguments). Ask for a smaller piece.`);
    },
  };
}
