import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OtlpReceiver, startOtlpReceiver } from '@skillgate/backing/otlp-receiver';
import { makeSigner, type Signer } from '@skillgate/service-kit/signing';
import { type OAuthServer, startOAuthServer } from '@skillgate/testing/oauth-server';
import { plant } from '@skillgate/testing/planted';
import { type ScriptedModel, startScriptedModel } from '@skillgate/testing/scripted-model';
import { connectWire } from '@skillgate/wire/connect';
import type { Wire } from '@skillgate/wire/wire';
import { type DevHouse, startDev } from './dev-process.fixture.js';
import { type Dump, readTables, readTree } from './secrets-scan.fixture.js';
import { modelId } from './test-house.fixture.js';

const publicUrl = 'https://skillgate.example';

/** A house that can be connected to a real OAuth server, and whose every word is kept. */
export interface SecretsHouse {
  readonly house: DevHouse;
  readonly model: ScriptedModel;
  readonly provider: OAuthServer;
  readonly receiver: OtlpReceiver;
  /** A connection of an executor's own. */
  readonly docs: Wire;
  /** Signs as the registry of this house. */
  readonly registry: Signer;
  /** What may stand nowhere, by what it is. Grows as secrets are made. */
  readonly secrets: Record<string, string>;
  /** The flow in a browser. @returns the callback as this house serves it */
  approve(url: string): Promise<string>;
  dump(): Promise<Dump>;
  stop(): Promise<void>;
}

/** In a process of its own, as users run it: only there is HTTP traced. */
export async function startSecretsHouse(): Promise<SecretsHouse> {
  const stateDir = mkdtempSync(join(tmpdir(), 'skillgate-secrets-'));
  chmodSync(stateDir, 0o711); // the user postgres must pass
  const secrets: Record<string, string> = { 'client secret': plant('client-secret') };
  const redirectUris = [`${publicUrl}/api/v1/integrations/callback`];
  const [provider, model, receiver] = await Promise.all([
    startOAuthServer({ clientSecret: secrets['client secret'], redirectUris }),
    startScriptedModel(),
    startOtlpReceiver(),
  ]);
  const table = join(stateDir, 'integrations.yaml');
  writeFileSync(table, providerTable(provider.issuer));
  const house = await startDev(['--state', stateDir, '--model-url', model.url], {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    SKILLGATE_MODEL: modelId,
    SKILLGATE_MODEL_API_KEY: (secrets['key of the model'] = plant('model-key')),
    SKILLGATE_LOG_LEVEL: 'trace',
    SKILLGATE_PUBLIC_URL: publicUrl,
    SKILLGATE_OAUTH_CLIENTS: JSON.stringify({ house: { id: provider.clientId, secret: provider.clientSecret } }),
    SKILLGATE_INTEGRATIONS_FILE: table,
    SKILLGATE_OIDC_ISSUERS: JSON.stringify([{ issuer: provider.issuer, audience: 'skillgate', provision: true }]),
  });
  const own = JSON.parse(readFileSync(join(stateDir, 'secrets.json'), 'utf8')) as OwnSecrets;
  Object.assign(secrets, ownSecrets(own));
  const servers = readFileSync(join(stateDir, 'nats-url'), 'utf8').trim();
  const docs = await connectWire({ service: 'docs', servers, user: 'docs', password: own.nats.docs! });
  return {
    ...{ house, model, provider, receiver, docs, secrets },
    registry: makeSigner(own.signing.registry as never, 'registry'),
    approve: async (url) => (await provider.approve(url)).replace(publicUrl, house.url),
    async dump() {
      const logs = ['house.log', 'nats/nats.log', 'postgres/postgres.log'].map((name) => readFileSync(join(stateDir, name), 'utf8'));
      return {
        logs: [...logs, house.told()].join('\n'),
        spans: JSON.stringify(receiver.spans()),
        streams: readTree(join(stateDir, 'nats/nats-data')),
        tables: await readTables(databaseUrl(stateDir)),
      };
    },
    async stop() {
      await docs.close();
      await house.stop();
      await Promise.all([model.close(), provider.close(), receiver.close()]);
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** As the superuser, who alone sees every row. */
function databaseUrl(stateDir: string): string {
  const place = join(stateDir, 'postgres');
  const password = readFileSync(join(place, 'postgres-password'), 'utf8').trim();
  const port = readFileSync(join(place, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[3]; // PostgreSQL documents its lines
  return `postgres://postgres:${password}@127.0.0.1:${port}/skillgate`;
}

interface OwnSecrets {
  operatorKey: string;
  nats: Record<string, string>;
  databases: Record<string, string>;
  signing: Record<string, { d: string }>;
  credentialKeys: { id: string; key: string }[];
  accountKeys: Record<string, string>;
}

/** What this house made for itself. */
function ownSecrets({ operatorKey, nats, databases, signing, credentialKeys, accountKeys }: OwnSecrets): Record<string, string> {
  const named = (kind: string, values: Record<string, string>) =>
    Object.entries(values).map(([name, value]) => [`${kind} of ${name}`, value]);
  return Object.fromEntries([
    ['operator key', operatorKey],
    ...named('NATS password', nats),
    ...named('database password', databases),
    ...named('signing key', Object.fromEntries(Object.entries(signing).map(([name, { d }]) => [name, d]))),
    ...named('credential key', Object.fromEntries(credentialKeys.map(({ id, key }) => [id, key]))),
    ...named('API key', accountKeys),
  ]) as Record<string, string>;
}

const providerTable = (issuer: string): string => `integrations:
  - name: gmail
    title: Gmail
    kind: oauth2
    client: house
    issuer: '${issuer}'
    clientAuth: client_secret_basic
    scopes: [openid, email, offline_access]
    parameters: { prompt: consent }
    label: { claim: email }
  - { name: cloze, title: Cloze, kind: api-key, fields: [{ name: apiKey, title: API key }] }
  - name: apple_calendar
    title: Apple Calendar
    kind: app-password
    fields: [{ name: username, title: Apple account }, { name: password, title: Password }]
    label: { field: username }
`;
