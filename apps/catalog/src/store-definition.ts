import type { StoreDefinition } from '@skillgate/store/store-definition';
import { SkillVersions1764500200000 } from './migrations/0001-skill-versions.js';
import { SkillVersionRow } from './skill-version-row.js';

export const catalogStore: StoreDefinition = {
  schema: 'catalog',
  migrations: [SkillVersions1764500200000],
  entities: [SkillVersionRow],
};
