import { createHash } from 'node:crypto';
import type { CallInput } from '@skillgate/contracts/define-call';
import type { startTurn } from '@skillgate/contracts/calls/orchestrator';
import { canonicalJson } from '@skillgate/contracts/manifest-digest';
import { refuse } from '@skillgate/contracts/refusal';
import type { Request } from 'express';

export type Idempotency = NonNullable<CallInput<typeof startTurn>['idempotency']>;

/** Printable ASCII, as a header can carry. */
const form = /^[\x21-\x7e]{1,255}$/;

/** What makes a request the same as another; undefined for one without the header. Refusal: `invalid-request`. */
export function idempotencyOf({ headers }: Pick<Request, 'headers'>, body: unknown): Idempotency | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !form.test(key)) {
    throw refuse('invalid-request', 'Idempotency-Key must have 1 to 255 visible ASCII characters.', { param: 'Idempotency-Key' });
  }
  return { key, digest: createHash('sha256').update(canonicalJson(body)).digest('hex') };
}
