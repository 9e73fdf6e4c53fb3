import { accountsService } from '@skillgate/accounts/accounts.service-definition';
import { accountsStore } from '@skillgate/accounts/store-definition';
import { artifactsService } from '@skillgate/artifacts/artifacts.service-definition';
import { artifactsStore } from '@skillgate/artifacts/store-definition';
import { catalogService } from '@skillgate/catalog/catalog.service-definition';
import { catalogStore } from '@skillgate/catalog/store-definition';
import { platformEdges } from '@skillgate/contracts/services/all';
import { operatorToolsEdges } from '@skillgate/contracts/services/operator-tools';
import { executorEdges } from '@skillgate/contracts/services/executor';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { docsExecutor } from '@skillgate/executor-docs/docs-executor';
import { webExecutor } from '@skillgate/executor-web/web-executor';
import type { Executor } from '@skillgate/executor-kit/define-executor';
import { slackExecutor } from '@skillgate/executor-slack/slack-executor';
import { gatewayService } from '@skillgate/gateway/gateway.service-definition';
import { orchestratorService } from '@skillgate/orchestrator/orchestrator.service-definition';
import { orchestratorStore } from '@skillgate/orchestrator/store-definition';
import { registryService } from '@skillgate/registry/registry.service-definition';
import { registryStore } from '@skillgate/registry/store-definition';
import type { ServiceDefinition } from '@skillgate/service-kit/service-definition';
import type { StoreDefinition } from '@skillgate/store/store-definition';

/** The platform's services, in an order in which each finds those that it asks at its start. */
export const platformServices = [
  accountsService,
  catalogService,
  registryService,
  artifactsService,
  orchestratorService,
  gatewayService,
] as unknown as readonly ServiceDefinition[]; // each has a configuration type of its own, and all are booted alike

/** Who keeps what; `migrate` brings all of them up to date. */
export const stores: readonly StoreDefinition[] = [accountsStore, catalogStore, registryStore, artifactsStore, orchestratorStore];

/** Executors that come with the house, by the folder of their app. */
export const executors: readonly { app: string; executor: Executor }[] = [
  { app: 'executor-docs', executor: docsExecutor },
  { app: 'executor-slack', executor: slackExecutor },
  { app: 'executor-web', executor: webExecutor },
];

/** Services that sign: tickets, receipts and grants. */
export const signers = ['gateway', 'catalog', 'registry'] as const;

/** All that the broker must know: the edges of every service and executor, and of the operator's own commands. */
export const houseEdges: readonly ServiceEdges[] = [...platformEdges, operatorToolsEdges, ...executors.map(({ executor }) => executorEdges(executor.name))];

/**
 * The same with executors that are started elsewhere and come by a name alone. @throws for the name of a service of the house, whose
 * permissions an executor would share
 */
export function edgesWithGuests(guests: readonly string[]): readonly ServiceEdges[] {
  const own = guests.find((guest) => houseEdges.some(({ service }) => service === guest));
  if (own) throw new Error(`"${own}" is part of the house; give the executor another name`);
  return [...houseEdges, ...[...new Set(guests)].map(executorEdges)];
}
