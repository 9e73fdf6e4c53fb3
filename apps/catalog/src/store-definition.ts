import type { StoreDefinition } from '@skillgate/store/store-definition';
import { SkillVersions1764500200000 } from './migrations/0001-skill-versions.js';
import { Events1764500300000 } from './migrations/0002-events.js';
import { Audit1764600300000 } from './migrations/0003-audit.js';
import { Publication1764600400000 } from './migrations/0004-publication.js';
import { AccountSkills1764600500000 } from './migrations/0005-account-skills.js';
import { ChatSkills1764600600000 } from './migrations/0006-chat-skills.js';
import { AccountSlugs1764600700000 } from './migrations/0007-account-slugs.js';
import { SkillVersionRow } from './skill-version-row.js';

export const catalogStore: StoreDefinition = {
  schema: 'catalog',
  migrations: [
    SkillVersions1764500200000,
    Events1764500300000,
    Audit1764600300000,
    Publication1764600400000,
    AccountSkills1764600500000,
    ChatSkills1764600600000,
    AccountSlugs1764600700000,
  ],
  entities: [SkillVersionRow],
};
