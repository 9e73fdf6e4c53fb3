import { integrationsFileVariable } from '@skillgate/service-kit/integration-names';
import { databaseUrlVariable } from '@skillgate/service-kit/variables';
import { z } from 'zod';
import { apiKeyShape } from './api-key.js';
import { credentialKeysVariable } from './integrations/credential-keys.js';
import { oauthClientsVariable } from './integrations/oauth-clients.js';
import { tokenIssuersVariable } from './token-issuers.js';

export const accountsConfig = z.object({
  SKILLGATE_DATABASE_URL: databaseUrlVariable,
  /** Absent: no operator account is made, and an existing one keeps its keys. */
  SKILLGATE_OPERATOR_KEY: z
    .string()
    .regex(apiKeyShape, 'is no API key: "sk-sg-" and 32 random bytes as 43 characters of base64url')
    .meta({ example: "sk-sg-$(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')" })
    .optional(),
  /** Issuers of OpenID Connect whose tokens open accounts. None: API keys alone do. */
  SKILLGATE_OIDC_ISSUERS: tokenIssuersVariable.default([]),
  /** Credentials of integrations are sealed under the first; the others open what earlier ones sealed. Absent: nothing can be connected. */
  SKILLGATE_CREDENTIAL_KEYS: credentialKeysVariable.optional(),
  /** Whom this house is to the providers of `integrations.yaml`. */
  SKILLGATE_OAUTH_CLIENTS: oauthClientsVariable.optional(),
  /** What the installation's own table adds to the shipped one, replaces in it or leaves out of it. */
  SKILLGATE_INTEGRATIONS_FILE: integrationsFileVariable,
});

export type AccountsConfig = z.output<typeof accountsConfig>;
