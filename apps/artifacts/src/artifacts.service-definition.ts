import { artifactsEdges } from '@skillgate/contracts/services/artifacts';
import { defineService } from '@skillgate/service-kit/service-definition';
import { ArtifactsModule } from './artifacts.module.js';
import { artifactsConfig } from './config.js';

export const artifactsService = defineService({
  name: 'artifacts',
  edges: artifactsEdges,
  config: artifactsConfig,
  module: (kit) => ArtifactsModule.on(kit),
});
