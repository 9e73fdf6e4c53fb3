import type { StoreDefinition } from '@skillgate/store/store-definition';
import { ArtifactRow } from './artifact-row.js';
import { Artifacts1764500000001 } from './migrations/0001-artifacts.js';
import { NewestOfAUser1764500000002 } from './migrations/0002-newest-of-a-user.js';
import { DeletedChats1764502000001 } from './migrations/0020-deleted-chats.js';

export const artifactsStore: StoreDefinition = {
  schema: 'artifacts',
  migrations: [Artifacts1764500000001, NewestOfAUser1764500000002, DeletedChats1764502000001],
  entities: [ArtifactRow],
};
