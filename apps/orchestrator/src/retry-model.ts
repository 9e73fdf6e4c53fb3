import OpenAI from 'openai';
import { setTimeout as pause } from 'node:timers/promises';

const maxTries = 3;
/** Milliseconds before the second try; doubled for the third. */
const firstPauseMs = 500;
/** Milliseconds. Who is told to wait longer is better told that the model is overloaded. */
const longestPauseMs = 10_000;

/**
 * Opens a model's answer, again where the endpoint is away or overloaded. Ours and not the vendor's client's, which goes on
 * pausing, for up to a minute, when the turn was cancelled long ago.
 */
export async function retryModel<T>(open: () => Promise<T>, signal: AbortSignal, onPause: (ms: number) => void): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await open();
    } catch (error) {
      const ms = pauseMs(error, tries);
      if (ms === null || ms > longestPauseMs || tries === maxTries) throw error;
      onPause(ms);
      await pause(ms, undefined, { signal });
    }
  }
}

/** Milliseconds to wait before the next try; null where it would end the same way. */
function pauseMs(error: unknown, tries: number): number | null {
  if (!(error instanceof OpenAI.APIError) || error instanceof OpenAI.APIUserAbortError) return null;
  if (!isPassing(error)) return null;
  // A quarter of chance keeps clients that failed together from coming back together.
  return retryAfterMs(error) ?? firstPauseMs * 2 ** (tries - 1) * (1 - Math.random() / 4);
}

/** Answers that may be another one in a moment; a connection that failed has no status. */
export const isPassing = ({ status }: InstanceType<typeof OpenAI.APIError>): boolean =>
  status === undefined || status >= 500 || [408, 409, 429].includes(status);

/** Seconds or an HTTP date (RFC 9110, 10.2.3), as milliseconds from now. */
export function retryAfterMs({ headers }: InstanceType<typeof OpenAI.APIError>): number | undefined {
  const value = headers?.get('retry-after');
  if (!value) return undefined;
  const ms = Number.isNaN(Number(value)) ? Date.parse(value) - Date.now() : Number(value) * 1_000;
  return ms > 0 ? ms : undefined;
}
