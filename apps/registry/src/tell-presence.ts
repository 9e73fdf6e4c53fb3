import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { heartbeatMs } from '@skillgate/contracts/tool-manifest';
import { LOG } from '@skillgate/service-kit/inject';
import type { Log } from '@skillgate/service-kit/log';
import { Wire } from '@skillgate/wire/wire';
import { Announcements, silenceMs } from './announcements.js';
import { PresenceStore } from './presence-store.js';

/**
 * Tells the house when the first instance of an executor came and when the last one is gone. What this replica hears is
 * compared with what was told at each heartbeat, so that a telling that failed is made up for.
 */
@Injectable()
export class TellPresence implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #startedAt = Date.now();
  #comparing: Promise<void> | undefined;

  constructor(
    private readonly wire: Wire,
    private readonly announcements: Announcements,
    private readonly presence: PresenceStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.#startedAt = Date.now();
    this.#timer = setInterval(() => this.soon(), heartbeatMs);
    this.#timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.#comparing;
  }

  /** @param leaving an executor of which an instance just said goodbye */
  soon(leaving?: string): void {
    const compare = () =>
      this.compare(leaving).catch((err: unknown) =>
        this.log.warn({ err }, 'who came and went was not told; it is tried again at the next heartbeat'),
      );
    this.#comparing = (this.#comparing ?? Promise.resolve()).then(compare);
  }

  private async compare(leaving?: string): Promise<void> {
    const living = new Map(this.announcements.living().map(({ executor, version }) => [executor, version]));
    const told = await this.presence.here();
    for (const [executor, version] of living) if (!told.has(executor)) await this.presence.joined(executor, version);
    for (const executor of told) {
      if (living.has(executor)) continue;
      if (executor === leaving) await this.presence.left(executor, 'leaving');
      else if (this.#heardLongEnough()) await this.presence.left(executor, 'silent');
    }
  }

  /** Silence counts only while this replica could hear: it has just started, or the wire was down, or it says nothing of others. */
  #heardLongEnough(): boolean {
    const { connected, since } = this.wire.status();
    return connected && Date.now() - Math.max(since, this.#startedAt) > silenceMs;
  }
}
