import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@skillgate/contracts/audit';
import { createAccount, listAudit } from '@skillgate/contracts/calls/accounts';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import type { Role } from '@skillgate/contracts/entitlements';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { accountsEdges } from '@skillgate/contracts/services/accounts';
import { gatewayEdges } from '@skillgate/contracts/services/gateway';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import { makeSigner, newSigningKey } from '@skillgate/service-kit/signing';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import type { DataSource } from 'typeorm';
import { accountsService } from './accounts.service-definition.js';
import { accountsStore } from './store-definition.js';

export interface Bearer extends Partial<TicketClaims> {
  roles: Role[];
}

export interface AccountsHouse {
  readonly nats: TestNats;
  readonly database: TestDatabase;
  readonly env: NodeJS.ProcessEnv;
  readonly service: RunningService;
  /** Calls as the gateway, and serves its public keys. */
  readonly gateway: Wire;
  /** Behind the curtain: a superuser's eyes, which policies do not bind. */
  readonly admin: DataSource;
  /** A ticket as the gateway signs it; of nobody in particular unless told. */
  ticket(bearer: Bearer): Promise<string>;
  /** A ticket of an operator. */
  readonly operator: string;
  /** A new account with a ticket of its first user, who is its admin. */
  account(tier?: string): Promise<{ id: string; user: string; admin: string }>;
  /** The account of who runs the platform, where the configuration has a key for it. */
  operatorAccount(): Promise<string>;
  /** What stands in the audit log of an account, newest first. */
  auditOf(of: { id: string; admin: string }): Promise<AuditEntry[]>;
  close(): Promise<void>;
}

/** The service of accounts over real NATS and PostgreSQL, with a gateway that signs. */
export async function openAccountsHouse(extra: NodeJS.ProcessEnv = {}, others: readonly ServiceEdges[] = []): Promise<AccountsHouse> {
  const [nats, database] = await Promise.all([withNats([accountsEdges, gatewayEdges, ...others]), withDatabase()]);
  const env = {
    SKILLGATE_NATS_URL: nats.url,
    SKILLGATE_NATS_PASSWORD: nats.passwords.accounts,
    SKILLGATE_DATABASE_URL: await database.migrate(accountsStore),
    SKILLGATE_LOG_LEVEL: 'error',
    ...extra,
  };
  const signer = makeSigner(await newSigningKey(), 'gateway');
  const gateway = await nats.connect('gateway');
  await gateway.serve(gatewayPublicKeys, async () => signer.publicKeys()).ready;
  const service = await bootService(accountsService, env);
  const admin = await openStore({ schema: 'accounts', entities: [], url: database.adminUrl });
  const ticket = ({ account = randomUUID(), user = randomUUID(), ...more }: Bearer) =>
    signer.sign({ typ: 'ticket', account, user, policyEpoch: 0, exp: Math.floor(Date.now() / 1000) + 600, ...more });
  const operator = await ticket({ roles: ['operator'] });
  return {
    ...{ nats, database, env, service, gateway, admin, ticket, operator },
    async account(tier = 'free') {
      const { id, admin: user } = await gateway.call(createAccount, { authority: operator, name: 'Acme', tier });
      return { id, user: user!, admin: await ticket({ account: id, user, roles: ['admin', 'user'] }) };
    },
    operatorAccount: async () => ((await admin.query('SELECT id FROM accounts WHERE is_operator')) as { id: string }[])[0]!.id,
    auditOf: async (of) => (await gateway.call(listAudit, { authority: of.admin, account: of.id, limit: 200 })).entries,
    async close() {
      await service.stop();
      await admin.destroy();
      await nats.close();
      await database.close();
    },
  };
}
