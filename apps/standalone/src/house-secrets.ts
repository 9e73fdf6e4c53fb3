import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorToolsEdges } from '@skillgate/contracts/services/operator-tools';
import { newSigningKey } from '@skillgate/service-kit/signing';
import { z } from 'zod';
import { executors, platformServices, signers, stores } from './house-services.js';

const schema = z.object({
  operatorKey: z.string(),
  nats: z.record(z.string(), z.string()),
  databases: z.record(z.string(), z.string()),
  signing: z.record(z.string(), z.record(z.string(), z.unknown())),
  /** API keys of the demonstration accounts, by tier. */
  accountKeys: z.record(z.string(), z.string()),
});
export type HouseSecrets = z.infer<typeof schema>;

/** Begins with a letter: NATS reads a password from its environment as configuration. */
const password = (): string => `p${randomBytes(18).toString('hex')}`;

/** The secrets of a house on this machine, made on its first start and kept in a file for its owner alone. */
export async function houseSecrets(stateDir: string): Promise<{ secrets: HouseSecrets; save(): void }> {
  mkdirSync(stateDir, { recursive: true });
  const file = join(stateDir, 'secrets.json');
  const known: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const kept = schema.partial().parse(known);
  const names = [...platformServices.map(({ name }) => name), operatorToolsEdges.service, ...executors.map(({ executor }) => executor.name)];
  const secrets: HouseSecrets = {
    operatorKey: kept.operatorKey ?? `sk-sg-${randomBytes(32).toString('base64url')}`,
    nats: Object.fromEntries(names.map((name) => [name, kept.nats?.[name] ?? password()])),
    databases: Object.fromEntries(stores.map(({ schema: name }) => [name, kept.databases?.[name] ?? password()])),
    signing: { ...kept.signing },
    accountKeys: kept.accountKeys ?? {},
  };
  for (const signer of signers) secrets.signing[signer] ??= { ...(await newSigningKey()) };
  const save = () => writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  save();
  return { secrets, save };
}
