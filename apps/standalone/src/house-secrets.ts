import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSigningKey } from '@skillgate/service-kit/signing';
import { z } from 'zod';
import { houseEdges, signers, stores } from './house-services.js';

const schema = z.object({
  operatorKey: z.string(),
  nats: z.record(z.string(), z.string()),
  databases: z.record(z.string(), z.string()),
  signing: z.record(z.string(), z.record(z.string(), z.unknown())),
  /** Credentials of integrations are sealed under the first. */
  credentialKeys: z.array(z.object({ id: z.string(), key: z.string() })),
  /** API keys of the demonstration accounts, by tier. */
  accountKeys: z.record(z.string(), z.string()),
});
export type HouseSecrets = z.infer<typeof schema>;

/** Begins with a letter: NATS reads a password from its environment as configuration. */
export const newPassword = (): string => `p${randomBytes(18).toString('hex')}`;

/** Every secret that a house needs; `kept` stays as it is, and what it lacks is made. @param guests executors that do not come with the house */
export async function makeSecrets(kept: Partial<HouseSecrets> = {}, guests: readonly string[] = []): Promise<HouseSecrets> {
  const names = [...houseEdges.map(({ service }) => service), ...guests];
  const secrets: HouseSecrets = {
    operatorKey: kept.operatorKey ?? `sk-sg-${randomBytes(32).toString('base64url')}`,
    nats: { ...kept.nats, ...Object.fromEntries(names.map((name) => [name, kept.nats?.[name] ?? newPassword()])) },
    databases: Object.fromEntries(stores.map(({ schema: name }) => [name, kept.databases?.[name] ?? newPassword()])),
    signing: { ...kept.signing },
    credentialKeys: kept.credentialKeys ?? [{ id: 'first', key: randomBytes(32).toString('base64') }],
    accountKeys: kept.accountKeys ?? {},
  };
  for (const signer of signers) secrets.signing[signer] ??= { ...(await newSigningKey()) };
  return secrets;
}

/** The secrets of a house on this machine, made on its first start and kept in a file for its owner alone. */
export async function houseSecrets(stateDir: string, guests: readonly string[] = []): Promise<{ secrets: HouseSecrets; save(): void }> {
  mkdirSync(stateDir, { recursive: true });
  const file = join(stateDir, 'secrets.json');
  const known: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const secrets = await makeSecrets(schema.partial().parse(known), guests);
  const save = () => writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  save();
  return { secrets, save };
}
