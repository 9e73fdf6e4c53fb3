import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOtlpReceiver, type OtlpReceiver } from '@skillgate/backing/otlp-receiver';
import { createAccount } from '@skillgate/contracts/calls/accounts';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import * as calls from '@skillgate/contracts/calls/integrations';
import { registryPublicKeys } from '@skillgate/contracts/calls/registry';
import type { Role } from '@skillgate/contracts/entitlements';
import { integrationConnected, integrationDisconnected, integrationExpired } from '@skillgate/contracts/events/accounts';
import { edgesOf } from '@skillgate/contracts/service-edges';
import { accountsEdges } from '@skillgate/contracts/services/accounts';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { gatewayEdges } from '@skillgate/contracts/services/gateway';
import { registryEdges } from '@skillgate/contracts/services/registry';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import { makeSigner, newSigningKey } from '@skillgate/service-kit/signing';
import { openStore } from '@skillgate/store/data-source';
import { startOAuthServer, type OAuthServer, type OAuthServerOptions } from '@skillgate/testing/oauth-server';
import { withDatabase } from '@skillgate/testing/with-database';
import { withNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import type { DataSource } from 'typeorm';
import { accountsService } from '../accounts.service-definition.js';
import { accountsStore } from '../store-definition.js';

const integrationEvents = [integrationConnected, integrationDisconnected, integrationExpired];
const listenerEdges = edgesOf({ service: 'listener', serves: [], calls: [], emits: [], hears: integrationEvents });

export const redirectUri = 'http://127.0.0.1/callback';

export interface Who {
  readonly account: string;
  readonly user: string;
}

/** Accounts over real NATS, PostgreSQL and OAuth, with a gateway and a registry that only sign, and executors that only call. */
export interface IntegrationsWorld {
  readonly provider: OAuthServer;
  readonly gateway: Wire;
  /** The executor `mail`. */
  readonly mail: Wire;
  /** The executor `other`. */
  readonly other: Wire;
  /** A superuser's eyes. */
  readonly admin: DataSource;
  readonly otlp: OtlpReceiver;
  /** Every log line of every replica. */
  readonly lines: string[];
  readonly keys: { id: string; key: string }[];
  /** A replica more, with variables of its own. */
  boot(env?: NodeJS.ProcessEnv): Promise<RunningService>;
  /** Replicas that were not stopped. */
  running(): RunningService[];
  newAccount(tier?: string): Promise<Who>;
  ticket(who: Who, roles?: Role[]): Promise<string>;
  grant(who: Who, change?: object): Promise<string>;
  /** The whole flow in a browser. @returns where the browser landed */
  begin(who: Who, integration?: string): Promise<{ state: string; landed: URL }>;
  connect(who: Who, integration?: string): Promise<void>;
  lease(who: Who, integration?: string, by?: Wire): Promise<calls.LeasedCredential>;
  list(who: Who): Promise<Record<string, calls.IntegrationView>>;
  /** What the audit log has of an account, oldest first: `action target`. */
  changes(account: string): Promise<string[]>;
  /** Events of integrations as they came to another service, of one account: `integration-connected gmail`. */
  told(account: string): string[];
  stop(): Promise<void>;
}

export const newKey = (id: string) => ({ id, key: randomBytes(32).toString('base64') });

export async function startIntegrationsWorld(options: OAuthServerOptions & { replicas?: number } = {}): Promise<IntegrationsWorld> {
  const [nats, database, provider, otlp] = await Promise.all([
    withNats([accountsEdges, gatewayEdges, registryEdges, executorEdges('mail'), executorEdges('other'), listenerEdges]),
    withDatabase(),
    startOAuthServer(options),
    startOtlpReceiver(),
  ]);
  const [gatewaySigner, registrySigner] = [makeSigner(await newSigningKey(), 'gateway'), makeSigner(await newSigningKey(), 'registry')];
  const [gateway, registry, mail, other, listener] = await Promise.all(
    ['gateway', 'registry', 'mail', 'other', 'listener'].map((name) => nats.connect(name)),
  );
  await gateway!.serve(gatewayPublicKeys, async () => gatewaySigner.publicKeys()).ready;
  await registry!.serve(registryPublicKeys, async () => registrySigner.publicKeys()).ready;

  const folder = mkdtempSync(join(tmpdir(), 'integrations-'));
  const file = join(folder, 'integrations.yaml');
  const scopes = '[openid, email, offline_access]';
  const oauth = `kind: oauth2, client: house, issuer: '${provider.issuer}', clientAuth: client_secret_basic, scopes: ${scopes}`;
  writeFileSync(
    file,
    `integrations:
  - { name: gmail, title: Gmail, ${oauth}, parameters: { prompt: consent }, label: { claim: email } }
  - { name: drive, title: Drive, ${oauth.replace('client: house', 'client: nobody')} }
  - { name: cloze, title: Cloze, kind: api-key, fields: [{ name: apiKey, title: API key }] }
  - { name: crm_2, title: Our CRM, kind: api-key, fields: [{ name: apiKey, title: API key }] }
  - name: apple_calendar
    title: Apple Calendar
    kind: app-password
    fields: [{ name: username, title: Apple account }, { name: password, title: Password }]
    label: { field: username }
`,
  );
  const keys = [newKey('first')];
  const lines: string[] = [];
  const serviceUrl = await database.migrate(accountsStore);
  const services: RunningService[] = [];
  const boot = async (env: NodeJS.ProcessEnv = {}) => {
    const service = await bootService(
      accountsService,
      {
        SKILLGATE_NATS_URL: nats.url,
        SKILLGATE_NATS_PASSWORD: nats.passwords.accounts,
        SKILLGATE_DATABASE_URL: serviceUrl,
        SKILLGATE_LOG_LEVEL: 'trace',
        SKILLGATE_CREDENTIAL_KEYS: JSON.stringify(keys),
        SKILLGATE_OAUTH_CLIENTS: JSON.stringify({ house: { id: provider.clientId, secret: provider.clientSecret } }),
        SKILLGATE_INTEGRATIONS_FILE: file,
        OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
        ...env,
      },
      { logTo: { write: (line: string) => void lines.push(line) } },
    );
    const running: RunningService = {
      ...service,
      stop: (budgetMs) => {
        services.splice(services.indexOf(running), 1);
        return service.stop(budgetMs);
      },
    };
    services.push(running);
    return running;
  };
  await Promise.all(Array.from({ length: options.replicas ?? 1 }, () => boot()));
  const heard: { what: string; account: string; integration: string }[] = [];
  // The stream is its owner's to make.
  for (const event of services.length > 0 ? integrationEvents : []) {
    const what = event.subject.split('.').at(-1)!;
    await listener!.hear(event, async ({ account, integration }) => void heard.push({ what, account, integration })).ready;
  }
  const admin = await openStore({ schema: 'accounts', entities: [], url: database.adminUrl });

  const soon = () => Math.floor(Date.now() / 1_000) + 60;
  const ticket = (who: Who, roles: Role[] = ['admin']) =>
    gatewaySigner.sign({ typ: 'ticket', ...who, roles, overrides: {}, policyEpoch: 1, exp: soon() });
  const grant = ({ account, user }: Who, change: object = {}) =>
    registrySigner.sign({
      ...{ typ: 'grant', aud: 'mail', account, user, chat: randomUUID(), turn: randomUUID(), policyEpoch: 1, exp: soon() },
      ...{ tools: { gmail_search_messages: 'mail@1.0.0#aa' }, integrations: ['gmail', 'drive', 'cloze', 'crm_2', 'apple_calendar'] },
      ...change,
    });
  const begin = async (who: Who, integration = 'gmail') => {
    const { url, state } = await gateway!.call(calls.beginConnection, { authority: await ticket(who), integration, redirectUri });
    return { state, landed: new URL(await provider.approve(url)) };
  };
  const operator = { account: randomUUID(), user: randomUUID() };

  return {
    provider,
    gateway: gateway!,
    mail: mail!,
    other: other!,
    admin,
    otlp,
    lines,
    keys,
    boot,
    running: () => [...services],
    ticket,
    grant,
    begin,
    async newAccount(tier = 'pro') {
      const made = await gateway!.call(createAccount, { authority: await ticket(operator, ['operator']), name: 'Acme', tier });
      return { account: made.id, user: made.admin! };
    },
    async connect(who, integration = 'gmail') {
      const { landed } = await begin(who, integration);
      await gateway!.call(calls.finishConnection, Object.fromEntries(landed.searchParams) as { state: string });
    },
    async lease(who, integration = 'gmail', by = mail!) {
      return by.call(calls.leaseCredential, { grant: await grant(who, { aud: by.service }), integration });
    },
    async list(who) {
      const { integrations } = await gateway!.call(calls.listIntegrations, { authority: await ticket(who, ['user']) });
      return Object.fromEntries(integrations.map((each) => [each.integration, each]));
    },
    async changes(account) {
      const rows = (await admin.query('SELECT action, target FROM audit_log WHERE account = $1 ORDER BY at', [account])) as {
        action: string;
        target: string;
      }[];
      return rows.map(({ action, target }) => `${action} ${target}`);
    },
    told: (account) => heard.filter((event) => event.account === account).map(({ what, integration }) => `${what} ${integration}`),
    async stop() {
      await Promise.allSettled([...services].map((service) => service.stop(5_000)));
      await admin.destroy();
      await nats.close();
      await Promise.all([database.close(), provider.close(), otlp.close()]);
      rmSync(folder, { recursive: true });
    },
  };
}
