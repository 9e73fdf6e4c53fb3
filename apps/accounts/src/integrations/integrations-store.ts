import type { Actor } from '@skillgate/contracts/audit';
import type { IntegrationStatus } from '@skillgate/contracts/calls/integrations';
import { integrationConnected, integrationDisconnected, integrationExpired } from '@skillgate/contracts/events/accounts';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import { outgoing } from '@skillgate/store/enqueue';
import type { DataSource, EntityManager } from 'typeorm';
import { changeFacts, holdAccount, type Deed } from '../change-facts.js';
import type { Credential, Secret } from './credential.js';
import type { CredentialsStore } from './credentials-store.js';

/** How a connection stands, as people see it. */
export interface IntegrationState {
  readonly name: string;
  readonly status: IntegrationStatus;
  readonly by: string | null;
  readonly at: Date | null;
  readonly scopes: string[];
  readonly label: string | null;
  readonly why: string | null;
  /** Whether a credential is held. */
  readonly credential: boolean;
}

/** A connection that was just made. */
export interface NewConnection {
  readonly integration: string;
  readonly kind: Credential['kind'];
  readonly secret: Secret;
  readonly scopes: readonly string[];
  readonly label: string | null;
}

const selectStates = `
  SELECT i.name, i.status, i.by, i.at, i.scopes, i.label, i.why, c.id IS NOT NULL AS credential
  FROM integrations i LEFT JOIN credentials c ON c.account = i.account AND c.integration = i.name
  WHERE i.account = $1 ORDER BY i.name`;

/** The state of an account's connections. What changes rights goes through `changeFacts`; a credential changes with its state. */
export class IntegrationsStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly credentials?: CredentialsStore,
  ) {}

  states(account: string): Promise<IntegrationState[]> {
    return inAccount(this.dataSource, account, (sql) => sql.query(selectStates, [account]) as Promise<IntegrationState[]>);
  }

  /** What is held already, entered again, changes nothing and makes no entry. Refuses `unknown-account`. */
  connect(account: string, actor: Actor, made: NewConnection): Promise<void> {
    const { integration, kind, secret, scopes, label } = made;
    return inAccount(this.dataSource, account, async (sql) => {
      await holdAccount(sql, account);
      const before = await stateOf(sql, account, integration);
      if (before.status === 'connected' && (await this.credentials?.holds(sql, account, integration, { kind, secret }))) return;
      const deed: Deed = { actor, action: 'connect-integration', target: integration };
      const difference = { before: viewed(before), after: { status: 'connected', label, scopes } };
      const write = async () => {
        await sql.query(
          `INSERT INTO integrations (account, name, status, by, at, scopes, label) VALUES ($1, $2, 'connected', $3, now(), $4, $5)
           ON CONFLICT (account, name) DO UPDATE SET status = 'connected', by = $3, at = now(), scopes = $4, label = $5`,
          [account, integration, actor.user ?? null, scopes, label],
        );
        await this.credentials?.replace(sql, account, integration, kind, secret);
        return difference;
      };
      if (before.status === 'connected') {
        // Rights are what they were, so the epoch stays; that somebody connected anew is still worth an entry.
        await recordAudit(sql, { account, ...deed, ...(await write()) });
      } else {
        const also = (policyEpoch: number) => outgoing(integrationConnected, { account, integration, policyEpoch }, account);
        await changeFacts(sql, account, deed, write, also);
      }
    });
  }

  /** @returns the credential that was held; nothing of it is left in the database. Refuses `unknown-account` */
  disconnect(account: string, actor: Actor, integration: string): Promise<Credential | undefined> {
    return inAccount(this.dataSource, account, async (sql) => {
      await holdAccount(sql, account);
      const before = await stateOf(sql, account, integration);
      // Whose key is gone is wiped all the same: nobody can use it.
      const held = await this.credentials?.held(sql, account, integration).catch(() => undefined);
      const deed: Deed = { actor, action: 'disconnect-integration', target: integration };
      const also = (policyEpoch: number) => outgoing(integrationDisconnected, { account, integration, policyEpoch }, account);
      const work = async () => {
        if (before.status === 'disconnected') return null;
        await sql.query(`UPDATE integrations SET status = 'disconnected' WHERE account = $1 AND name = $2`, [account, integration]);
        return { before: viewed(before), after: { status: 'disconnected' } };
      };
      await changeFacts(sql, account, deed, work, also);
      return held;
    });
  }

  /**
   * The provider takes this very credential no more. Told once; nothing happens where another version stands by now, or
   * somebody said so before.
   *
   * @returns whether it was told now
   */
  expire(credential: Credential, status: 'expired' | 'revoked', why: string, actor: Actor): Promise<boolean> {
    const { account, integration } = credential;
    return inAccount(this.dataSource, account, async (sql) => {
      await holdAccount(sql, account);
      const before = await stateOf(sql, account, integration);
      const also = (policyEpoch: number) => outgoing(integrationExpired, { account, integration, policyEpoch, status }, account);
      const work = async () => {
        if (before.status !== 'connected' || !(await this.credentials?.stands(sql, credential))) return null;
        await sql.query('UPDATE integrations SET status = $3, why = $4 WHERE account = $1 AND name = $2', [
          account,
          integration,
          status,
          why,
        ]);
        return { before: viewed(before), after: { status, why } };
      };
      return (await changeFacts(sql, account, { actor, action: 'expire-integration', target: integration }, work, also)).changed;
    });
  }

  /**
   * Writes a renewed secret in the place of the version that it came from. Was the connection called expired meanwhile, by a
   * replica whose try came behind this one, then it is connected again: the provider gave a token.
   *
   * @returns false where that version does not stand any more
   */
  renewed(credential: Credential, secret: Secret, actor: Actor): Promise<boolean> {
    const { account, integration } = credential;
    return inAccount(this.dataSource, account, async (sql) => {
      const { status } = await stateOf(sql, account, integration);
      if (status === 'connected') return this.credentials!.renew(sql, credential, secret);
      await holdAccount(sql, account);
      let written = false;
      const also = (policyEpoch: number) => outgoing(integrationConnected, { account, integration, policyEpoch }, account);
      const work = async () => {
        const before = await stateOf(sql, account, integration);
        written = await this.credentials!.renew(sql, credential, secret);
        if (!written || before.status === 'connected') return null;
        await sql.query(`UPDATE integrations SET status = 'connected' WHERE account = $1 AND name = $2`, [account, integration]);
        return { before: viewed(before), after: { status: 'connected' } };
      };
      await changeFacts(sql, account, { actor, action: 'connect-integration', target: integration }, work, also);
      return written;
    });
  }
}

type Before = Pick<IntegrationState, 'status' | 'label'>;

async function stateOf(sql: EntityManager, account: string, integration: string): Promise<Before> {
  const [row] = (await sql.query('SELECT status, label FROM integrations WHERE account = $1 AND name = $2', [
    account,
    integration,
  ])) as Before[];
  return row ?? { status: 'disconnected', label: null };
}

const viewed = ({ status, label }: Before) => (label ? { status, label } : { status });
