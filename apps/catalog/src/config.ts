import { join } from 'node:path';
import { folderVariable } from '@skillgate/service-kit/file-variable';
import { integrationsFileVariable } from '@skillgate/service-kit/integration-names';
import { databaseUrlVariable, signingKeyVariable } from '@skillgate/service-kit/variables';
import { z } from 'zod';

export const catalogConfig = z.object({
  SKILLGATE_DATABASE_URL: databaseUrlVariable,
  /** Signs the receipts. */
  SKILLGATE_SIGNING_KEY: signingKeyVariable,
  /** A folder with one folder for each skill; the repository's own unless given. */
  SKILLGATE_SKILLS_DIR: folderVariable
    .default(join(import.meta.dirname, '../../../skills'))
    .meta({ example: '/srv/skillgate/skills' }),
  /** The provider table that accounts has too: skills may require what it adds to the outside systems of every house. */
  SKILLGATE_INTEGRATIONS_FILE: integrationsFileVariable,
  /** Tokens (o200k) of instructions in every turn, of skills that are `always`, beyond which people are warned. */
  SKILLGATE_ALWAYS_TOKENS: z.coerce.number().int().min(0).default(4_000),
});
export type CatalogConfig = z.output<typeof catalogConfig>;
