import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { HeardAnnouncement } from '@skillgate/contracts/tool-manifest';
import { LOG } from '@skillgate/service-kit/inject';
import type { Log } from '@skillgate/service-kit/log';
import { Wire } from '@skillgate/wire/wire';
import { Announcements, maxHeldTools } from './announcements.js';
import { TellPresence } from './tell-presence.js';

/** Listens from before the first call is served, so that a registry does not begin by calling everybody away. */
@Injectable()
export class HearExecutors implements OnModuleInit, OnApplicationShutdown {
  readonly #toldFull = new Map<string, number>();
  #close: (() => void) | undefined;

  constructor(
    private readonly wire: Wire,
    private readonly announcements: Announcements,
    private readonly presence: TellPresence,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async onModuleInit(): Promise<void> {
    const { ready, close } = this.wire.subscribeAnnouncements((said) => this.hear(said));
    this.#close = close;
    await ready;
  }

  onApplicationShutdown(): void {
    this.#close?.();
  }

  /** Each heartbeat of each instance would say it again. */
  private tellFull(executor: string): void {
    if (Date.now() - (this.#toldFull.get(executor) ?? 0) < 60_000) return;
    this.#toldFull.set(executor, Date.now());
    this.log.warn({ executor, maxHeldTools }, 'instances of an executor are not heard: together they announce too many tools; run fewer, or split its tools over executors');
  }

  private hear(said: HeardAnnouncement): void {
    if (said.state === 'serving' && this.announcements.isFull(said)) this.tellFull(said.executor);
    if (!this.announcements.hear(said)) return;
    const { executor, version, instance, state } = said;
    this.presence.soon(state === 'leaving' ? executor : undefined);
    const heard = this.announcements.living(executor).find((one) => one.instance === instance);
    const judged = heard?.tools.flatMap(({ name, fault }) => (fault ? [`${name}: ${fault.reason}`] : [])) ?? [];
    const faults = [...judged, ...(heard?.malformed ?? []).map(({ name, problem }) => `${name}: ${problem}`)];
    this.log.info({ executor, version, instance, state, tools: said.tools.map((tool) => tool.name) }, 'an executor announced itself');
    if (faults.length > 0) this.log.warn({ executor, instance, faults }, 'tools of an executor were quarantined');
  }
}
