import { createHash } from 'node:crypto';
import { canonicalJson } from '@skillgate/contracts/manifest-digest';
import { toolResult } from '@skillgate/contracts/tool-call';
import { z } from 'zod';
import type { LedgerCall } from './call-ledger.js';
import { type Outcome, failed } from './outcome.js';
import { HouseError } from '@skillgate/contracts/refusal';

const ended = { turn: z.string(), fingerprint: z.string() };

/** One call with effects as the instances of an executor know it together. `settled` has no fingerprint: its arguments never came. */
export const ledgerEntry = z.discriminatedUnion('state', [
  /** `run` tells this run from another of the same call, so that who wrote it knows it again. */
  z.object({ state: z.literal('running'), instance: z.string(), run: z.string(), ...ended }),
  z.object({ state: z.literal('done'), result: toolResult, ...ended }),
  z.object({
    state: z.literal('failed'),
    error: z.object({
      kind: z.enum(['refusal', 'unavailable', 'breach', 'defect']),
      slug: z.string(),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
    ...ended,
  }),
  z.object({ state: z.literal('unknown'), ...ended }),
  z.object({ state: z.literal('settled'), turn: z.string() }),
]);
export type LedgerEntry = z.infer<typeof ledgerEntry>;
export type RunningEntry = Extract<LedgerEntry, { state: 'running' }>;

/** SHA-256 over what makes two deliveries the same call, beside their id. */
export const fingerprintOf = ({ tool, turn, arguments: args }: LedgerCall): string =>
  createHash('sha256')
    .update(canonicalJson([tool, turn, args]))
    .digest('hex');

/** A hash, since call ids may have any form and keys may not; with the account, so that no account meets another's calls. */
export const keyOf = ({ account, callId }: Pick<LedgerCall, 'account' | 'callId'>): string =>
  createHash('sha256').update(`${account}/${callId}`).digest('hex');

export const encodeEntry = (entry: LedgerEntry): Uint8Array => Buffer.from(JSON.stringify(entry));
export const decodeEntry = (bytes: Uint8Array): LedgerEntry => ledgerEntry.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));

/** What is remembered of a run. One that never began is settled: whoever sent it was told so, and nobody runs it later. */
export function entryOf(outcome: Outcome, { turn, fingerprint }: RunningEntry): LedgerEntry {
  if (!outcome.started) return { state: 'settled', turn };
  if (outcome.result) return { state: 'done', result: outcome.result, turn, fingerprint };
  const { kind, slug, message, details } = outcome.error;
  return { state: 'failed', error: { kind, slug, message, ...(details && { details }) }, turn, fingerprint };
}

/** The first run's outcome for a delivery that came again. */
export function outcomeOf(entry: Extract<LedgerEntry, { state: 'done' | 'failed' }>, bytes: number): Outcome {
  if (entry.state === 'done') return { started: true, result: entry.result, bytes };
  return failed(new HouseError(entry.error));
}
