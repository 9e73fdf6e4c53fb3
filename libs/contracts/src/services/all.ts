import type { ServiceEdges } from '../service-edges.js';
import { accountsEdges } from './accounts.js';
import { artifactsEdges } from './artifacts.js';
import { catalogEdges } from './catalog.js';
import { gatewayEdges } from './gateway.js';
import { orchestratorEdges } from './orchestrator.js';
import { registryEdges } from './registry.js';

/** The platform's own services; executors are added by name with `executorEdges`. */
export const platformEdges: readonly ServiceEdges[] = [
  accountsEdges,
  catalogEdges,
  registryEdges,
  artifactsEdges,
  orchestratorEdges,
  gatewayEdges,
];
