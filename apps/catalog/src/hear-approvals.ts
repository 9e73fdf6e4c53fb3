import { Controller, Inject, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { EventPayload } from '@skillgate/contracts/define-event';
import { manifestApproved } from '@skillgate/contracts/events/registry';
import { Hears } from '@skillgate/wire/serve';
import { Wire } from '@skillgate/wire/wire';
import { ROOM, type CatalogRoom } from './catalog-room.js';
import type { Served } from './served-store.js';

/** Keeps what is known of served profiles up: the table by one replica, the memory by each for itself. */
@Controller()
export class HearApprovals implements OnApplicationBootstrap, OnApplicationShutdown {
  private watching: { close(): void } | undefined;

  constructor(
    private readonly wire: Wire,
    @Inject(ROOM) private readonly room: CatalogRoom,
  ) {}

  @Hears(manifestApproved)
  async approved(manifest: EventPayload<typeof manifestApproved>): Promise<void> {
    await this.room.served.apply(servedBy(manifest));
  }

  onApplicationBootstrap(): void {
    this.watching = this.wire.watch(manifestApproved, (manifest) => this.room.served.note(servedBy(manifest)));
  }

  onApplicationShutdown(): void {
    this.watching?.close();
  }
}

const servedBy = ({ executor, tools, approvedAt }: EventPayload<typeof manifestApproved>): Served => ({
  executor,
  profiles: [...new Set(tools.map(({ profile }) => profile))],
  approvedAt,
});
