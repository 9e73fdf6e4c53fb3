import { type DynamicModule, Inject, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import type { Kit } from '@skillgate/service-kit/boot';
import { KIT } from '@skillgate/service-kit/inject';
import { storeModule } from '@skillgate/store/data-source';
import { OutboxRelay } from '@skillgate/store/outbox-relay';
import { describeOutbox } from '@skillgate/store/outbox-state';
import { outboxModule } from '@skillgate/store/outbox.module';
import { DataSource } from 'typeorm';
import { ActiveTurns } from './active-turns.js';
import { ApprovalsStore } from './approvals-store.js';
import type { OrchestratorConfig } from './config.js';
import type { AcceptParts } from './accept-turn.js';
import { makeParts, PARTS } from './parts.js';
import { ChatStore } from './chat-store.js';
import { UserChatsStore } from './user-chats-store.js';
import { SearchChats } from './search-store.js';
import { CallTool } from './serve/call-tool.js';
import { CancelTurn } from './serve/cancel-turn.js';
import { DecideApproval } from './serve/decide-approval.js';
import { DeleteChat } from './serve/delete-chat.js';
import { ExportChat } from './serve/export-chat.js';
import { FindChat } from './serve/find-chat.js';
import { GetApproval } from './serve/get-approval.js';
import { GetChat } from './serve/get-chat.js';
import { GetRoute } from './serve/get-route.js';
import { GetTurn } from './serve/get-turn.js';
import { GetUsage } from './serve/get-usage.js';
import { ListApprovals } from './serve/list-approvals.js';
import { ListAudit } from './serve/list-audit.js';
import { ListChats } from './serve/list-chats.js';
import { ListModels } from './serve/list-models.js';
import { PreviewCatalog } from './serve/preview-catalog.js';
import { RenameChat } from './serve/rename-chat.js';
import { ServeSearchChats } from './serve/search-chats.js';
import { StartTurn } from './serve/start-turn.js';
import { TakeOver } from './take-over.js';
import { orchestratorStore } from './store-definition.js';
import { TICKETS, ticketVerifier } from './tickets.js';
import { TurnStore } from './turn-store.js';

@Module({})
export class OrchestratorModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    outbox: OutboxRelay,
    private readonly takeOver: TakeOver,
    @Inject(KIT) private readonly kit: Kit,
  ) {
    kit.health.add('outbox', async () => ({ up: true, detail: describeOutbox(await outbox.state()) }));
  }

  onApplicationBootstrap(): void {
    this.kit.wire.subscribeHandover(() => this.takeOver.wake());
    this.kit.draining.addEventListener('abort', () => void this.takeOver.stop(), { once: true });
    this.takeOver.start();
  }

  /** Also when the start failed later on, in which case no drain begins. */
  onModuleDestroy(): Promise<void> {
    return this.takeOver.stop();
  }

  static with(kit: Kit<OrchestratorConfig & Kit['config']>): DynamicModule {
    const turns = new ActiveTurns(kit.log);
    kit.onDrain('turns', async (leftMs) => {
      const given = await turns.drain(leftMs);
      if (given > 0) kit.wire.tellHandover(given);
    });
    return {
      module: OrchestratorModule,
      imports: [
        storeModule({ ...orchestratorStore, url: kit.config.SKILLGATE_DATABASE_URL }),
        outboxModule({ emits: orchestratorEdges.emits, log: kit.log }),
      ],
      controllers: [
        ...[StartTurn, FindChat, GetTurn, GetRoute, CancelTurn, GetUsage, ListModels, GetChat, PreviewCatalog],
        ...[ListChats, ServeSearchChats, RenameChat, DeleteChat, ExportChat],
        ...[ListApprovals, GetApproval, DecideApproval, ListAudit, CallTool],
      ],
      providers: [
        { provide: ActiveTurns, useValue: turns },
        { provide: TICKETS, useValue: ticketVerifier(kit.wire) },
        { provide: TurnStore, useFactory: (dataSource: DataSource) => new TurnStore(dataSource, kit.config.SKILLGATE_LEASE_MS, kit.config.SKILLGATE_APPROVAL_MS), inject: [DataSource] },
        { provide: ApprovalsStore, useFactory: (dataSource: DataSource) => new ApprovalsStore(dataSource), inject: [DataSource] },
        { provide: ChatStore, useFactory: (dataSource: DataSource) => new ChatStore(dataSource), inject: [DataSource] },
        { provide: UserChatsStore, useFactory: (dataSource: DataSource) => new UserChatsStore(dataSource), inject: [DataSource] },
        { provide: SearchChats, useFactory: (dataSource: DataSource) => new SearchChats(dataSource), inject: [DataSource] },
        { provide: PARTS, useFactory: (store: TurnStore, chats: SearchChats) => makeParts(kit, store, turns, chats), inject: [TurnStore, SearchChats] },
        { provide: TakeOver, useFactory: (parts: AcceptParts, dataSource: DataSource) => new TakeOver(parts, dataSource), inject: [PARTS, DataSource] },
      ],
    };
  }
}
