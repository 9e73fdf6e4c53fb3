import { registryEdges } from '@skillgate/contracts/services/registry';
import { defineService } from '@skillgate/service-kit/service-definition';
import { registryConfig } from './config.js';
import { RegistryModule } from './registry.module.js';

export const registryService = defineService({
  name: 'registry',
  edges: registryEdges,
  config: registryConfig,
  module: (kit) => RegistryModule.on(kit),
});
