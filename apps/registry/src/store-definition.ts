import type { StoreDefinition } from '@skillgate/store/store-definition';
import { ApprovedToolRow } from './entities.js';
import { ApprovedTools1764500200000 } from './migrations/0001-approved-tools.js';
import { Events1764500300000 } from './migrations/0002-events.js';
import { Audit1764500400000 } from './migrations/0003-audit.js';
import { ProfilePolicies1764500600000 } from './migrations/0005-profile-policies.js';
import { AccountPolicies1764500700000 } from './migrations/0006-account-policies.js';
import { VersionsAndNames1764502000000 } from './migrations/0020-versions-and-names.js';

export const registryStore: StoreDefinition = {
  schema: 'registry',
  migrations: [
    ...[ApprovedTools1764500200000, Events1764500300000, Audit1764500400000],
    ...[ProfilePolicies1764500600000, AccountPolicies1764500700000, VersionsAndNames1764502000000],
  ],
  entities: [ApprovedToolRow],
};
