import type { HouseSecrets } from './house-secrets.js';

export interface HouseAddresses {
  natsUrl: string;
  /** Superuser's URL of the house's database. */
  databaseUrl: string;
  modelUrl: string;
  otlp?: string;
  httpPort: number;
}

const suffix = (name: string): string => name.toUpperCase().replaceAll('-', '_');

/**
 * What no one else may know, one variable a service that needs it. `databaseUrl` says where the database is; the user and
 * password in it are replaced by each service's own.
 */
export function secretVariables(secrets: HouseSecrets, databaseUrl: string): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [service, password] of Object.entries(secrets.nats)) own[`SKILLGATE_NATS_PASSWORD_${suffix(service)}`] = password;
  for (const [schema, password] of Object.entries(secrets.databases)) {
    const url = new URL(databaseUrl);
    url.username = schema;
    url.password = password;
    own[`SKILLGATE_DATABASE_URL_${suffix(schema)}`] = url.href;
  }
  for (const [signer, key] of Object.entries(secrets.signing)) own[`SKILLGATE_SIGNING_KEY_${suffix(signer)}`] = JSON.stringify(key);
  return { ...own, SKILLGATE_OPERATOR_KEY: secrets.operatorKey, SKILLGATE_CREDENTIAL_KEYS: JSON.stringify(secrets.credentialKeys) };
}

/** The variables of all services; each reads those with its own name at their end. */
export const houseEnvironment = (secrets: HouseSecrets, at: HouseAddresses): NodeJS.ProcessEnv => ({
  ...secretVariables(secrets, at.databaseUrl),
  SKILLGATE_NATS_URL: at.natsUrl,
  SKILLGATE_MODEL_BASE_URL: at.modelUrl,
  SKILLGATE_HTTP_PORT: String(at.httpPort),
  ...(at.otlp ? { OTEL_EXPORTER_OTLP_ENDPOINT: at.otlp } : {}),
});
