import type { StoreDefinition } from '@skillgate/store/store-definition';
import { AccountRow, ApiKeyRow, IdentityRow, IntegrationRow, SkillLockRow, SkillStateRow, TierRow, UserRow } from './entities.js';
import { Accounts1764500100000 } from './migrations/0001-accounts.js';
import { Outbox1764500300000 } from './migrations/0002-outbox.js';
import { Tiers1764600100000 } from './migrations/0003-tiers.js';
import { Users1764600200000 } from './migrations/0004-users.js';
import { Audit1764600300000 } from './migrations/0005-audit.js';
import { Credentials1764600400000 } from './migrations/0006-credentials.js';
import { Personas1764601000000 } from './migrations/0010-personas.js';
import { TierActors1764602000000 } from './migrations/0020-tier-actors.js';

export const accountsStore: StoreDefinition = {
  schema: 'accounts',
  migrations: [
    ...[Accounts1764500100000, Outbox1764500300000, Tiers1764600100000, Users1764600200000, Audit1764600300000],
    ...[Credentials1764600400000, Personas1764601000000, TierActors1764602000000],
  ],
  entities: [TierRow, AccountRow, UserRow, ApiKeyRow, IdentityRow, IntegrationRow, SkillStateRow, SkillLockRow],
};
