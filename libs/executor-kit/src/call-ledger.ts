import type { ToolEffect } from '@skillgate/contracts/words';
import { fingerprintOf } from './ledger-entry.js';
import { ledgerLimits } from './limits.js';
import type { Outcome } from './outcome.js';
import { reused } from './shared-ledger.js';

/** What makes two deliveries the same call. */
export interface LedgerCall {
  account: string;
  callId: string;
  turn: string;
  tool: string;
  arguments: unknown;
}

interface Entry {
  fingerprint: string;
  outcome: Promise<Outcome>;
  /** Milliseconds since the epoch; null while it runs. */
  endedAt: number | null;
  bytes: number;
}

/**
 * One result for each call id: a repeated delivery is answered with the first result, also while the first runs.
 *
 * In memory, bounded by count, bytes and age; a running call is never dropped. It serves one instance; what the instances
 * know together of calls with effects is in `shared-ledger.ts`.
 */
export class CallLedger {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(
    private readonly limits = ledgerLimits,
    private readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  /**
   * Runs `work` unless this call ran before. `work` must not reject.
   * @throws the refusal `call-id-reused` when the id stands for another tool, turn or other arguments
   */
  once(call: LedgerCall, effect: ToolEffect, work: () => Promise<Outcome>): { outcome: Promise<Outcome>; replayed: boolean } {
    this.prune();
    const key = `${call.account}/${call.callId}`;
    const fingerprint = fingerprintOf(call);
    const known = this.entries.get(key);
    if (known && known.fingerprint !== fingerprint) throw reused();
    if (known) return { outcome: known.outcome, replayed: true };

    const entry: Entry = { fingerprint, outcome: work(), endedAt: null, bytes: 0 };
    this.entries.set(key, entry);
    entry.outcome = entry.outcome.then((outcome) => {
      if (mayRunAgain(outcome, effect)) this.entries.delete(key);
      else this.record(key, entry, outcome);
      return outcome;
    });
    return { outcome: entry.outcome, replayed: false };
  }

  /** Entries are held in the order in which they ended, so the oldest stand first. */
  private record(key: string, entry: Entry, outcome: Outcome): void {
    entry.endedAt = this.now();
    entry.bytes = outcome.result ? outcome.bytes : 0;
    this.bytes += entry.bytes;
    this.entries.delete(key);
    this.entries.set(key, entry);
    this.prune();
  }

  private prune(): void {
    for (const [key, entry] of this.entries) {
      const full = this.entries.size > this.limits.calls || this.bytes > this.limits.bytes;
      if (entry.endedAt === null) continue;
      if (!full && this.now() - entry.endedAt <= this.limits.ageMs) break;
      this.entries.delete(key);
      this.bytes -= entry.bytes;
    }
  }
}

/** Never entered, or a read that ended without an answer: a second try can do no harm and may do better. */
function mayRunAgain(outcome: Outcome, effect: ToolEffect): boolean {
  if (!outcome.started) return true;
  return effect === 'read' && outcome.error !== undefined && outcome.error.kind !== 'refusal';
}
