import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { listProfiles } from '@skillgate/contracts/calls/registry';
import { skillBreaches, type Breach } from '@skillgate/gating/check-contract';
import { KIT } from '@skillgate/service-kit/inject';
import type { Kit } from '@skillgate/service-kit/service-definition';
import { Wire } from '@skillgate/wire/wire';
import { ROOM, type CatalogRoom } from './catalog-room.js';

/** Milliseconds before the registry is asked again: it may well start after the catalog. */
const againMs = [1_000, 2_000, 5_000, 10_000, 30_000];

/** What was published is held against the registry's profiles. It hinders nothing: an activation decides for itself. */
@Injectable()
export class WarnOfBreaches implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    @Inject(Wire) private readonly wire: Pick<Wire, 'call'>,
    @Inject(ROOM) private readonly room: Pick<CatalogRoom, 'shelf'>,
    @Inject(KIT) private readonly kit: { log: Pick<Kit['log'], 'warn'> },
  ) {}

  onApplicationBootstrap(): void {
    this.begin(0);
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** One line for each breach. Errors: those of the call and of the store. */
  async check(): Promise<Breach[]> {
    const [{ profiles }, shelf] = await Promise.all([this.wire.call(listProfiles, {}), this.room.shelf.current()]);
    const breaches = skillBreaches([...shelf.values()].flatMap(({ offered }) => offered ?? []), profiles);
    for (const { rule, of, message } of breaches) this.kit.log.warn({ skill: of, rule }, `the published skill does not fit the profiles: ${message}`);
    return breaches;
  }

  private begin(attempt: number): void {
    this.check().catch((err: unknown) => {
      if (this.stopped) return;
      const wait = againMs[attempt];
      if (wait === undefined) this.kit.log.warn({ err }, 'the registry did not say its profiles, so skills are not held against them until the next start');
      else this.timer = setTimeout(() => this.begin(attempt + 1), wait).unref();
    });
  }
}
