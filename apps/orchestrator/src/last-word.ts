import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { AssistantItem } from '@skillgate/prompt/history';

/**
 * What the chat keeps as the last word of a turn: what the model said and no round holds, and why it stops there. It is never
 * empty, since providers refuse a history in which the user speaks twice and the assistant not at all.
 */
export function lastWord(spoken: string, { status, finishReason, error }: TurnOutcome): AssistantItem {
  if (status === 'cancelled') return word(spoken, 'The user stopped this answer.');
  if (status === 'failed') return word(spoken, `This answer was interrupted: ${error?.slug ?? 'internal'}.`);
  return spoken.trim() === '' ? word('', `This answer is empty: ${finishReason}.`) : word(spoken);
}

const word = (spoken: string, note?: string): AssistantItem => ({
  kind: 'assistant',
  text: [spoken, note && `[${note}]`].filter(Boolean).join('\n\n'),
  calls: [],
});

export const interruptedWord = word('', 'This answer was interrupted: turn-interrupted.');
