import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { defineService } from '@skillgate/service-kit/boot';
import { orchestratorConfig } from './config.js';
import { OrchestratorModule } from './orchestrator.module.js';

export const orchestratorService = defineService({
  name: 'orchestrator',
  edges: orchestratorEdges,
  config: orchestratorConfig,
  module: (kit) => OrchestratorModule.with(kit),
});
