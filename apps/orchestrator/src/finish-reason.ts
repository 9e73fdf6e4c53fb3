import { type HouseError, unavailable } from '@skillgate/contracts/refusal';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { ModelAnswer } from './ask-model.js';

/** Why an answer without calls cannot pass for a whole one: `model-cut` or `model-empty`; undefined for any other. */
export function incomplete({ finish, text, calls }: ModelAnswer): HouseError | undefined {
  if (calls.length > 0 || finish === 'length' || finish === 'content_filter') return undefined;
  if (finish === 'cut') return unavailable('model-cut', 'The model stopped in mid-answer. Send your message again.');
  if (text.trim() === '') return unavailable('model-empty', 'The model gave an empty answer. Send your message again.');
  return undefined;
}

export const finishReasonOf = ({ finish }: ModelAnswer): TurnOutcome['finishReason'] => (finish === 'length' || finish === 'content_filter' ? finish : 'stop');
