import type { ChatRequest } from './chat-request.js';

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** Rough on purpose: four characters a token is close for English prose, and nobody is billed by it. */
export const charactersPerToken = 4;

export function countTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

export function countUsage(request: ChatRequest, completion: string): Usage {
  const prompt =
    countTokens(JSON.stringify(request.messages)) + (request.tools.length > 0 ? countTokens(JSON.stringify(request.tools)) : 0);
  const answered = countTokens(completion);
  return { prompt_tokens: prompt, completion_tokens: answered, total_tokens: prompt + answered };
}
