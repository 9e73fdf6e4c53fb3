import type { DeadLetter } from '@skillgate/contracts/dead-letter';
import { isHouseError } from '@skillgate/contracts/refusal';
import { handOverMs } from './pull-messages.js';

export type Settlement =
  | { readonly act: 'again'; readonly delayMs: number }
  | { readonly act: 'bury'; readonly reason: DeadLetter['reason'] };

export interface FailedDelivery {
  readonly error: unknown;
  /** Of this message to this service: 1 for the first. */
  readonly attempt: number;
  /** How often the handler failed here with this message, this time included; Unavailable is no failure. */
  readonly failures: number;
  readonly maxDeliver: number;
  /** The handler was told to stop: what it threw says nothing about the message. */
  readonly stopped: boolean;
}

const firstDelayMs = 1_000;
const lastDelayMs = 60_000;

/** What becomes of an event whose handler threw: by who must act on the error. */
export function settle({ error, attempt, failures, maxDeliver, stopped }: FailedDelivery): Settlement {
  if (stopped) return { act: 'again', delayMs: handOverMs };
  const { kind, slug, message } = isHouseError(error) ? error : { kind: 'defect' as const, slug: 'internal', message: String(error) };
  if (kind === 'unavailable') {
    const asked = (isHouseError(error) ? error.retryAfterMs : undefined) ?? 0;
    return { act: 'again', delayMs: Math.max(growing(attempt), Math.min(asked, lastDelayMs)) };
  }
  if (kind === 'defect' && failures < maxDeliver) return { act: 'again', delayMs: growing(failures) };
  return { act: 'bury', reason: { kind, slug, message: message.slice(0, longestMessage) } };
}

const longestMessage = 2_000;

const growing = (times: number): number => Math.min(firstDelayMs * 2 ** Math.min(times - 1, 10), lastDelayMs);
