import { join } from 'node:path';
import { databaseUrlVariable, signingKeyVariable } from '@skillgate/service-kit/variables';
import { z } from 'zod';

export const catalogConfig = z.object({
  SKILLGATE_DATABASE_URL: databaseUrlVariable,
  /** Signs the receipts. */
  SKILLGATE_SIGNING_KEY: signingKeyVariable,
  /** A folder with one folder for each skill; the repository's own unless given. */
  SKILLGATE_SKILLS_DIR: z
    .string()
    .default(join(import.meta.dirname, '../../../skills'))
    .meta({ example: '/srv/skillgate/skills' }),
});
export type CatalogConfig = z.output<typeof catalogConfig>;
