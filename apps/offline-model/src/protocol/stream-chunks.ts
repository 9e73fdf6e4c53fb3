import type { Completion } from './reply.js';

const wordsInAPiece = 3;
const argumentCharacters = 160;

/** The server-sent events of one answer, in order, `[DONE]` included. */
export function* streamChunks(completion: Completion, includeUsage: boolean): Generator<string> {
  const { id, created, model, text, call, finish, usage } = completion;
  const frame = { id, object: 'chat.completion.chunk', created, model };
  const event = (choices: object[], extra: object = {}): string =>
    `data: ${JSON.stringify({ ...frame, choices, ...(includeUsage ? { usage: null } : {}), ...extra })}\n\n`;
  const delta = (value: object): string => event([{ index: 0, delta: value, logprobs: null, finish_reason: null }]);

  yield delta({ role: 'assistant', content: call ? null : '' });
  for (const piece of pieces(text ?? '')) yield delta({ content: piece });
  if (call) {
    yield delta({ tool_calls: [{ index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] });
    for (let at = 0; at < call.arguments.length; at += argumentCharacters) {
      yield delta({ tool_calls: [{ index: 0, function: { arguments: call.arguments.slice(at, at + argumentCharacters) } }] });
    }
  }
  yield event([{ index: 0, delta: {}, logprobs: null, finish_reason: finish }]);
  if (includeUsage) yield event([], { usage });
  yield 'data: [DONE]\n\n';
}

/** A few words each, spaces kept, so that the pieces joined are the text again. */
function pieces(text: string): string[] {
  const words = text.match(/\s*\S+|\s+$/g) ?? [];
  const out: string[] = [];
  for (let at = 0; at < words.length; at += wordsInAPiece) out.push(words.slice(at, at + wordsInAPiece).join(''));
  return out;
}
