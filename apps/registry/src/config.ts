import { fileVariable } from '@skillgate/service-kit/file-variable';
import { integrationsFileVariable } from '@skillgate/service-kit/integration-names';
import { databaseUrlVariable, signingKeyVariable } from '@skillgate/service-kit/variables';
import { grantSeconds } from '@skillgate/contracts/tokens';
import { z } from 'zod';

export const registryConfig = z.object({
  SKILLGATE_DATABASE_URL: databaseUrlVariable,
  /** Grants are signed with it; all replicas have the same. */
  SKILLGATE_SIGNING_KEY: signingKeyVariable,
  /** Seconds that a grant lives: how long a change of rights takes at most where its event is not heard. Each renewal costs one call. */
  SKILLGATE_GRANT_SECONDS: z.coerce.number().int().min(2).max(grantSeconds).default(grantSeconds),
  /** A profiles file of the installation's own in place of the shipped one. */
  SKILLGATE_PROFILES_FILE: fileVariable.meta({ example: '/etc/skillgate/profiles.yaml' }).optional(),
  /** The provider table that accounts has too: profiles may need what it adds to the outside systems of every house. */
  SKILLGATE_INTEGRATIONS_FILE: integrationsFileVariable,
});

export type RegistryConfig = z.output<typeof registryConfig>;
