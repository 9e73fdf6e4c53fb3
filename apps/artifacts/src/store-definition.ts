import type { StoreDefinition } from '@skillgate/store/store-definition';
import { ArtifactRow } from './artifact-row.js';
import { Artifacts1764500000001 } from './migrations/0001-artifacts.js';

export const artifactsStore: StoreDefinition = {
  schema: 'artifacts',
  migrations: [Artifacts1764500000001],
  entities: [ArtifactRow],
};
