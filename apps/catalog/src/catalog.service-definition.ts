import { catalogEdges } from '@skillgate/contracts/services/catalog';
import { defineService } from '@skillgate/service-kit/service-definition';
import { CatalogModule } from './catalog.module.js';
import { catalogConfig } from './config.js';

export const catalogService = defineService({
  name: 'catalog',
  edges: catalogEdges,
  config: catalogConfig,
  module: (kit) => CatalogModule.on(kit),
});
