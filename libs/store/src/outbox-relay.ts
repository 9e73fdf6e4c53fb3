import { setTimeout as sleep } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { context, type Meter, trace } from '@opentelemetry/api';
import { stderrLog, type WireLog } from '@skillgate/wire/wire-log';
import type { DataSource, EntitySubscriberInterface } from 'typeorm';
import { Bell } from './bell.js';
import { enqueuedMark } from './enqueue.js';
import { HeldAggregates } from './held-aggregates.js';
import { observeOutbox } from './observe-outbox.js';
import { outboxState, type OutboxState } from './outbox-state.js';
import { relayBatch, type BatchLimits } from './relay-batch.js';
import type { PublishRow } from './publish-in-order.js';

export interface OutboxRelayOptions {
  readonly dataSource: DataSource;
  readonly publish: PublishRow;
  readonly log?: WireLog;
  /** Hears how much waits. */
  readonly meter?: Meter;
  readonly limits?: Partial<BatchLimits>;
  /** Milliseconds between two looks when nobody rings. It finds what another replica left behind. Default 1,000. */
  readonly pollMs?: number;
}

/**
 * Milliseconds between two batches, unless one was full: what is committed meanwhile leaves in one, and the first at once.
 * The longer one holds behind a batch of `many` rows: what a batch costs, over few rows, would slow down who enqueues.
 */
const [gatherMs, gatherManyMs, many] = [5, 40, 50];
/** Milliseconds until another look when another replica is relaying: it may have looked before our commit. */
const elsewhereMs = 50;
/** Milliseconds between tries while broker or database are away: doubled from the first to the second. */
const [firstBackoffMs, lastBackoffMs] = [200, 5_000];

/**
 * Brings what waits in a service's outbox to the broker: by one replica at a time, any of them, in order within an
 * aggregate, at least once. A replica that dies between publishing and removing leaves a row that the next one publishes
 * again under the same id.
 *
 * It rings when a transaction of its own data source that enqueued something is committed; see ADR 8 for why not NOTIFY.
 */
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #options: OutboxRelayOptions;
  readonly #log: WireLog;
  readonly #bell = new Bell();
  readonly #held = new HeldAggregates();
  /** Somebody enqueued since this replica last looked as the one that relays. */
  #asked = false;
  /** When the next batch may begin, by `performance.now`. */
  #gatheredAt = 0;
  #backoffMs = 0;
  #lastError: string | undefined;
  #sent = 0;
  #stopping = false;
  #running: Promise<void> | undefined;
  #stopObserving: () => void = () => undefined;

  constructor(options: OutboxRelayOptions) {
    this.#options = options;
    this.#log = options.log ?? stderrLog;
  }

  /** Nest starts and stops it with the application; without Nest, `start` and `stop` do. */
  onApplicationBootstrap(): void {
    this.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  start(): void {
    if (this.#running) return;
    this.#options.dataSource.subscribers.push(this.#commits);
    if (this.#options.meter) this.#stopObserving = observeOutbox(this.#options.meter, () => this.state());
    // Started within some span or not: what the loop does for ever belongs to none.
    this.#running = context.with(trace.deleteSpan(context.active()), () => this.#run());
  }

  /** Looks now instead of at the next poll. */
  wake(): void {
    this.#asked = true;
    this.#bell.ring();
  }

  /** Relays what is there by now, once, and ends. What stays is for the other replicas, or for the next start. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopObserving();
    const subscribers = this.#options.dataSource.subscribers;
    if (subscribers.includes(this.#commits)) subscribers.splice(subscribers.indexOf(this.#commits), 1);
    this.#bell.ring();
    await this.#running;
  }

  /** Rows that wait, how long, and what hinders. @throws when the database is away */
  async state(): Promise<OutboxState> {
    const { dataSource } = this.#options;
    return { ...(await outboxState(dataSource)), sent: this.#sent, held: this.#held.all(), lastError: this.#lastError };
  }

  readonly #commits: EntitySubscriberInterface = {
    afterTransactionCommit: ({ queryRunner }) => {
      if (!queryRunner.data[enqueuedMark] || queryRunner.isTransactionActive) return; // a savepoint is no commit
      queryRunner.data[enqueuedMark] = false;
      this.wake();
    },
  };

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const restMs = await this.#pass();
      if (this.#backoffMs > 0) await this.#rest(restMs);
      else if (restMs > 0 && (await this.#bell.wait(restMs))) await this.#gather();
    }
    if (this.#asked) await this.#pass();
  }

  async #gather(): Promise<void> {
    const leftMs = this.#gatheredAt - performance.now();
    if (leftMs > 0 && !this.#stopping) await sleep(leftMs);
  }

  /** A rest that commits do not cut short, but the end does. */
  async #rest(ms: number): Promise<void> {
    const end = Date.now() + ms;
    while (!this.#stopping && Date.now() < end) await this.#bell.wait(end - Date.now());
  }

  /** @returns milliseconds until the next one */
  async #pass(): Promise<number> {
    const { dataSource, publish, limits, pollMs = 1_000 } = this.#options;
    const askedBefore = this.#asked;
    this.#asked = false; // before the look: who asks during it is looked for again
    try {
      const batch = await relayBatch(dataSource, publish, this.#held.now(), limits);
      if (batch === 'elsewhere') {
        this.#asked ||= askedBefore;
        return this.#asked ? elsewhereMs : pollMs;
      }
      this.#sent += batch.sent.length;
      this.#held.release(batch.sent);
      if (batch.unavailable) return this.#backOff(batch.failed[0]?.error);
      for (const { row, error } of batch.failed) this.#hold(row, error);
      this.#recovered();
      if (batch.more || batch.failed.length > 0) return 0;
      this.#gatheredAt = performance.now() + (batch.sent.length < many ? gatherMs : gatherManyMs);
      return pollMs;
    } catch (error) {
      this.#asked ||= askedBefore;
      return this.#backOff(error);
    }
  }

  #hold(row: { aggregate: string; id: string; subject: string }, error: unknown): void {
    const again = this.#held.hold(row, error);
    const { id: event, subject, aggregate } = row;
    this.#log.error(
      { err: error, event, subject, aggregate, again },
      'an event cannot be published; those of its aggregate wait behind it',
    );
  }

  #backOff(error: unknown): number {
    if (this.#backoffMs === 0) this.#log.warn({ err: error }, 'events wait in the outbox: the broker or the database is away');
    this.#lastError = error instanceof Error ? error.message : String(error);
    this.#backoffMs = Math.min(Math.max(this.#backoffMs * 2, firstBackoffMs), lastBackoffMs);
    return this.#backoffMs;
  }

  #recovered(): void {
    if (this.#backoffMs > 0) this.#log.info({}, 'events leave the outbox again');
    this.#backoffMs = 0;
    this.#lastError = undefined;
  }
}
