import { databaseUrlVariable } from '@skillgate/service-kit/variables';
import { z } from 'zod';
import { apiKeyShape } from './api-key.js';

export const accountsConfig = z.object({
  SKILLGATE_DATABASE_URL: databaseUrlVariable,
  /** Absent: no operator account is made, and an existing one keeps its keys. */
  SKILLGATE_OPERATOR_KEY: z
    .string()
    .regex(apiKeyShape, 'is no API key: "sk-sg-" and 32 random bytes as 43 characters of base64url')
    .meta({ example: "sk-sg-$(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')" })
    .optional(),
});

export type AccountsConfig = z.output<typeof accountsConfig>;
