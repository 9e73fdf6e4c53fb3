import { breach, HouseError, unavailable, type WireError } from '@skillgate/contracts/refusal';
import type { z } from 'zod';

/** A message that the broker refused. `operation` is what the user tried. */
export interface PermissionDenied {
  readonly user: string;
  readonly operation: 'publish' | 'subscription';
  readonly subject: string;
}

export const notPermitted = ({ user, operation, subject }: PermissionDenied): HouseError =>
  breach(
    'not-permitted',
    `NATS user "${user}" may not ${operation === 'publish' ? 'publish' : 'subscribe'} to "${subject}". ` +
      `Declare it in the edges of "${user}" and start NATS with the permissions generated from them`,
  );

export const disconnected = (why: string, sent: boolean): HouseError =>
  new HouseError({ kind: 'unavailable', slug: 'wire-disconnected', message: why, details: { sent } });

export const noResponder = (callee: string, subject: string): HouseError =>
  unavailable('no-responder', `No instance of "${callee}" hears "${subject}". Start "${callee}", or try again when it runs`);

export const deadlinePassed = (subject: string, ms: number): HouseError =>
  unavailable('deadline-passed', `"${subject}" gave no answer within ${ms} ms. Try again, or allow more time`);

export const tooLate = (subject: string, ms: number): HouseError =>
  unavailable('deadline-passed', `"${subject}" was not started: its deadline had passed ${ms} ms before. Try again, or allow more time`);

export const cancelled = (subject: string, cause?: unknown): HouseError =>
  new HouseError({ kind: 'unavailable', slug: 'cancelled', message: `The call to "${subject}" was cancelled by its caller` }, { cause });

/** The first three problems of a message, by path; values never, since messages hold secrets. */
export function schemaProblems(error: z.ZodError): string {
  const problems = error.issues.slice(0, 3).map(({ path, message }) => `${path.length === 0 ? 'the message' : path.join('.')}: ${message}`);
  const more = error.issues.length - problems.length;
  return problems.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

const kinds: readonly unknown[] = ['refusal', 'unavailable', 'breach', 'defect'];

/** Does this look like what `HouseError.toWire` wrote? */
export function isWireError(value: unknown): value is WireError {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, slug, message } = value as Record<string, unknown>;
  return kinds.includes(kind) && typeof slug === 'string' && typeof message === 'string';
}
