import { isRefusal, isUnavailable } from '@skillgate/contracts/refusal';

/** Tries of one model for one answer. */
export const mostTries = 3;
/** Milliseconds before the second try; doubled for the third. */
const firstPauseMs = 500;
/** Milliseconds. Who is told to wait longer is better told that the model is overloaded, or answered by another one. */
const longestPauseMs = 10_000;

export type NextTry = { readonly after: number } | 'next-model' | 'none';

/**
 * What follows a try that failed before its first word. Ours and not the vendor's client's, which goes on pausing, for up to a
 * minute, when the turn was cancelled long ago.
 *
 * @param error as `askModel` throws it
 * @param tries how often this model was tried
 */
export function nextTry(error: unknown, tries: number): NextTry {
  // The endpoint does not know this model, or does not let us use it: of another one it may think otherwise.
  if (isRefusal(error, 'model-refused-request')) return 'next-model';
  if (!isUnavailable(error)) return 'none';
  // A quarter of chance keeps clients that failed together from coming back together.
  const after = error.retryAfterMs ?? firstPauseMs * 2 ** (tries - 1) * (1 - Math.random() / 4);
  return tries >= mostTries || after > longestPauseMs ? 'next-model' : { after };
}
