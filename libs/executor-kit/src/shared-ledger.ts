import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyValueBucket } from '@skillgate/contracts/call-ledger-bucket';
import { type HouseError, isHouseError, isUnavailable, refuse, unavailable } from '@skillgate/contracts/refusal';
import type { SettleRequest, Settlement } from '@skillgate/contracts/tool-call';
import type { Held, KeyValues } from '@skillgate/wire/key-values';
import type { WireLog } from '@skillgate/wire/wire-log';
import type { LedgerCall } from './call-ledger.js';
import { decodeEntry, encodeEntry, entryOf, fingerprintOf, keyOf, type LedgerEntry, outcomeOf, type RunningEntry } from './ledger-entry.js';
import type { Outcome } from './outcome.js';
import { Pulse } from './pulse.js';

/** The right to run a call, which one instance gets. What became of it must be told, whatever it is. */
export interface Claim {
  /** Never rejects. */
  record(outcome: Outcome): Promise<void>;
}

/** Milliseconds between two looks at a call that another instance runs. */
const lookMs = 100;
/** Milliseconds in which the word of a run is brought into the ledger; then its outcome is unknown to the others. */
const recordWithinMs = 60_000;
const retryMs = 250;

/** What the instances of one executor know together of its calls with effects: a bucket in JetStream. */
export class SharedLedger {
  private opened: Promise<KeyValues> | undefined;
  private readonly runs = new Set<string>();
  private readonly pulse: Pulse;

  constructor(
    private readonly wire: { keyValues(bucket: KeyValueBucket): Promise<KeyValues> },
    private readonly bucket: KeyValueBucket,
    private readonly log: WireLog,
    goneMs?: number,
  ) {
    this.pulse = new Pulse(randomUUID(), () => this.values(), goneMs);
  }

  /**
   * Before a tool with effects is entered. Answers with how the call ended when it came before, here or at another instance.
   *
   * @param signal fires when nobody waits for the answer any more
   * @throws refusal `call-id-reused`, `call-settled` or `call-unknown`; unavailable `ledger-unavailable`, and then nothing was run
   */
  async claim(call: LedgerCall, signal: AbortSignal): Promise<Claim | Outcome> {
    const key = keyOf(call);
    const mine: RunningEntry = { state: 'running', instance: this.pulse.instance, run: randomUUID(), turn: call.turn, fingerprint: fingerprintOf(call) };
    this.enter(mine.run);
    try {
      const values = await this.values();
      const revision = await values.create(key, encodeEntry(mine));
      if (revision !== null) return this.claimed(key, mine, revision);
    } catch (error) {
      void this.write(key, mine, { state: 'settled', turn: call.turn }); // it may have been kept, and is not run
      throw ledgerAway(error);
    }
    this.leave(mine.run);
    return this.earlier(call, key, mine, signal);
  }

  /** What became of a call; one that has not arrived is refused from now on. @param deadline milliseconds since the epoch */
  async settle({ account, callId, turn }: SettleRequest, deadline: number): Promise<Settlement> {
    const key = keyOf({ account, callId });
    const values = await this.values();
    for (;;) {
      const held = await values.get(key);
      if (!held) {
        if ((await values.create(key, encodeEntry({ state: 'settled', turn }))) !== null) return { state: 'never' };
        continue; // it arrived in between
      }
      const entry = await this.untilEnded(key, held, () => Date.now() >= deadline);
      if (entry.turn !== turn) throw reused();
      return settlementOf(entry);
    }
  }

  private async earlier(call: LedgerCall, key: string, mine: RunningEntry, signal: AbortSignal): Promise<Outcome> {
    const held = await (await this.values()).get(key);
    if (!held) throw ledgerAway(new Error('the entry of a call was gone as soon as it was seen'));
    const entry = await this.untilEnded(key, held, () => signal.aborted);
    if (entry.state === 'settled') throw settledBefore();
    if (entry.fingerprint !== mine.fingerprint) throw reused();
    if (entry.state === 'unknown') throw unknown();
    if (entry.state === 'running') throw isHouseError(signal.reason) ? signal.reason : unavailable('cancelled', 'The first delivery of this call still runs.');
    return outcomeOf(entry, held.bytes.length);
  }

  private claimed(key: string, mine: RunningEntry, revision: number): Claim {
    return { record: (outcome) => this.write(key, mine, entryOf(outcome, mine), revision) };
  }

  /** Waits for the end of a running call. One whose instance has gone is unknown from then on, for everybody. */
  private async untilEnded(key: string, first: Held, isOver: () => boolean): Promise<LedgerEntry> {
    const values = await this.values();
    for (let held: Held | null = first; ; held = (await values.get(key)) ?? held) {
      const entry = decodeEntry(held.bytes);
      if (entry.state !== 'running') return entry;
      if (await this.isLost(entry)) {
        const { turn, fingerprint } = entry;
        await values.update(key, encodeEntry({ state: 'unknown', turn, fingerprint }), held.revision); // lost: somebody else wrote, and is read
        this.log.warn({ turn, instance: entry.instance }, 'a call with effects was running in an instance that went away: nobody knows what it did');
      } else {
        if (isOver()) return entry;
        await pause(lookMs);
      }
    }
  }

  private async isLost({ instance, run }: RunningEntry): Promise<boolean> {
    return instance === this.pulse.instance ? !this.runs.has(run) : this.pulse.isGone(instance);
  }

  /** Tries until it is written or somebody else has decided; the run counts as alive until then. */
  private async write(key: string, mine: RunningEntry, entry: LedgerEntry, revision?: number): Promise<void> {
    try {
      for (const end = Date.now() + recordWithinMs; ; await pause(retryMs)) {
        const error = await this.tryWrite(key, mine, entry, revision).catch((failure: Error) => failure);
        if (!error) return;
        if (Date.now() < end && !isUnavailable(error, 'wire-closed')) continue;
        this.log.error({ err: error, turn: mine.turn }, 'the outcome of a call could not be written into the ledger: it will be told as unknown');
        return;
      }
    } finally {
      this.leave(mine.run);
    }
  }

  private async tryWrite(key: string, mine: RunningEntry, entry: LedgerEntry, revision?: number): Promise<undefined> {
    const values = await this.values();
    if (revision !== undefined && (await values.update(key, encodeEntry(entry), revision)) !== null) return undefined;
    const held = await values.get(key); // a write whose answer was lost has happened
    const now = held && decodeEntry(held.bytes);
    if (now?.state !== 'running') {
      if (now && now.state !== entry.state) this.log.warn({ turn: mine.turn, state: now.state }, 'a call ended after it had been given up');
      return undefined;
    }
    if (now.run === mine.run) await values.update(key, encodeEntry(entry), held!.revision);
    return undefined;
  }

  private values(): Promise<KeyValues> {
    if (!this.opened) {
      const opening = this.wire.keyValues(this.bucket);
      this.opened = opening;
      opening.catch(() => (this.opened = undefined)); // the next call tries again
    }
    return this.opened;
  }

  private enter(run: string): void {
    this.runs.add(run);
    this.pulse.start();
  }

  private leave(run: string): void {
    this.runs.delete(run);
    if (this.runs.size === 0) this.pulse.stop();
  }
}

function settlementOf(entry: LedgerEntry): Settlement {
  if (entry.state === 'done') return { state: 'done', result: entry.result };
  if (entry.state === 'failed') return { state: 'failed', error: entry.error };
  return { state: entry.state === 'settled' ? 'never' : entry.state };
}

const ledgerAway = (cause: unknown): HouseError => {
  if (isHouseError(cause) && cause.kind !== 'unavailable') return cause;
  const error = unavailable('ledger-unavailable', 'The executor cannot write down that it runs this call, so it does not. Try again in a moment.', 1_000);
  return Object.assign(error, { cause });
};
export const reused = (): HouseError => refuse('call-id-reused', 'This call id was used before for another call. Send each new call under a new id.');
const settledBefore = (): HouseError =>
  refuse('call-settled', 'This call was given up before it arrived, by whoever took over its turn. Nothing was done; leave it to them.');
const unknown = (): HouseError =>
  refuse('call-unknown', 'The instance that ran this call went away in the middle. Part of its work may be done: look before you repeat it.');
