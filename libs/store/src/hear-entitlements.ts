import { Controller, Inject, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { entitlementsChanged } from '@skillgate/contracts/events/accounts';
import { Hears } from '@skillgate/wire/serve';
import { Wire } from '@skillgate/wire/wire';
import type { WireLog } from '@skillgate/wire/wire-log';
import { EntitlementsProjection } from './entitlements-projection.js';

export const HEARING_LOG = Symbol('store.hearing-log');

/** Keeps the projection up: the table by one replica of the service, the memory by each for itself. */
@Controller()
export class HearEntitlements implements OnApplicationBootstrap, OnApplicationShutdown {
  #watching: { close(): void } | undefined;

  constructor(
    private readonly wire: Wire,
    private readonly projection: EntitlementsProjection,
    @Inject(HEARING_LOG) private readonly log: WireLog,
  ) {}

  @Hears(entitlementsChanged)
  async changed(facts: Entitlements): Promise<void> {
    await this.projection.apply(facts);
  }

  /** Does not wait: what is not known yet is read through. */
  onApplicationBootstrap(): void {
    this.#watching = this.wire.watch(entitlementsChanged, (facts) => void this.projection.note(facts));
    this.rebuild().catch((err: unknown) =>
      this.log.warn({ err }, 'entitlements were not rebuilt from their events; each account is read from accounts when it is needed'),
    );
  }

  onApplicationShutdown(): void {
    this.#watching?.close();
  }

  /** The durable consumer does not go back to events that it had worked on before the table was lost. */
  private async rebuild(): Promise<void> {
    if (!(await this.projection.isEmpty())) return;
    const events = await this.wire.readEvents(entitlementsChanged, async (facts) => void (await this.projection.apply(facts)));
    if (events > 0) this.log.info({ events }, 'entitlements were rebuilt from their events');
  }
}
