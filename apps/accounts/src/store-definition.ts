import type { StoreDefinition } from '@skillgate/store/store-definition';
import { AccountRow, ApiKeyRow, IntegrationRow, SkillLockRow, SkillStateRow, TierRow, UserRow } from './entities.js';
import { Accounts1764500100000 } from './migrations/0001-accounts.js';
import { Outbox1764500300000 } from './migrations/0002-outbox.js';

export const accountsStore: StoreDefinition = {
  schema: 'accounts',
  migrations: [Accounts1764500100000, Outbox1764500300000],
  entities: [TierRow, AccountRow, UserRow, ApiKeyRow, IntegrationRow, SkillStateRow, SkillLockRow],
};
