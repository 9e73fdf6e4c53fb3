import { readFileSync } from 'node:fs';
import { integrationName, integrationNames } from '@skillgate/contracts/integrations';
import { parse } from 'yaml';
import { z } from 'zod';
import { fileVariable } from './file-variable.js';

/** The provider table of the installation. Accounts connects by it; whoever reads skills and profiles takes its names. */
export const integrationsFileVariable = fileVariable.meta({ example: '/etc/skillgate/integrations.yaml' }).optional();

/** As much of the table as says which outside systems there are. */
const names = z.object({ integrations: z.array(z.object({ name: integrationName })).default([]) });

/**
 * The outside systems that this house can name: those of every house, then those that its table adds. What the table leaves out
 * stays a name, that nobody can connect: skills and profiles that ask for it are right, and shut.
 *
 * @param file a provider table, as `SKILLGATE_INTEGRATIONS_FILE` names it
 * @throws Error that names the file, and the entry whose name is none
 */
export const readIntegrationNames = (file: string | undefined): readonly string[] =>
  file === undefined ? integrationNames : integrationNamesIn(readFileSync(file, 'utf8'), file);

export function integrationNamesIn(yaml: string, file: string): readonly string[] {
  const parsed = names.safeParse(parse(yaml));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  return [...new Set([...integrationNames, ...parsed.data.integrations.map(({ name }) => name)])];
}
