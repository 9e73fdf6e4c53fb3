import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { CredentialKind, IntegrationStatus } from '@skillgate/contracts/calls/integrations';
import { inAccount } from '@skillgate/store/account-scope';
import type { DataSource, EntityManager } from 'typeorm';
import { accountsWithTier } from '../facts-store.js';
import type { Credential, Secret } from './credential.js';
import type { CredentialKeys } from './credential-keys.js';
import { seal, unseal, type Belonging } from './seal.js';

/** Seconds for which a replica may renew a credential alone; longer than a provider may take for its answer. */
export const claimSeconds = 20;

/** What decides whether a credential is leased, read in one statement. */
export interface Standing {
  readonly status: IntegrationStatus;
  readonly why: string | null;
  /** Whether the account's rights still include tools. */
  readonly tools: boolean;
  readonly userRevoked: boolean;
  readonly credential?: Credential;
}

interface CredentialRow {
  id: string;
  kind: CredentialKind;
  version: number;
  key_id: string;
  wrapped_key: Buffer;
  box: Buffer;
}

type StandingRow = Partial<CredentialRow> & {
  status: IntegrationStatus | null;
  why: string | null;
  scopes: string[] | null;
  tools: boolean;
  revoked: boolean;
};

const selectStanding = `
  SELECT i.status, i.why, i.scopes, (t.capabilities || a.extra_capabilities) @> '{tools}' AS tools,
    NOT EXISTS (SELECT FROM users u WHERE u.account = a.id AND u.id = $3 AND u.revoked_at IS NULL) AS revoked,
    c.id, c.kind, c.version, c.key_id, c.wrapped_key, c.box
  FROM ${accountsWithTier}
    LEFT JOIN integrations i ON i.account = a.id AND i.name = $2
    LEFT JOIN credentials c ON c.account = a.id AND c.integration = $2
  WHERE a.id = $1`;

/** Rows of TypeORM's UPDATE and DELETE: what RETURNING gave, and how many. */
type Changed<T> = [T[], number];

/** Credentials in the database, sealed: SQL and nothing else. */
export class CredentialsStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: CredentialKeys,
  ) {}

  /** Null for an account that is not there. */
  standing(account: string, integration: string, user: string): Promise<Standing | null> {
    return inAccount(this.dataSource, account, async (sql) => {
      const [row] = (await sql.query(selectStanding, [account, integration, user])) as StandingRow[];
      if (!row) return null;
      const { status, why, tools, revoked: userRevoked } = row;
      const credential = row.id ? this.open({ account, integration }, row as CredentialRow, row.scopes ?? []) : undefined;
      return { status: status ?? 'disconnected', why, tools, userRevoked, ...(credential && { credential }) };
    });
  }

  /** The one credential of this connection, before it is wiped. */
  async held(sql: EntityManager, account: string, integration: string): Promise<Credential | undefined> {
    const [row] = (await sql.query('SELECT * FROM credentials WHERE account = $1 AND integration = $2', [
      account,
      integration,
    ])) as CredentialRow[];
    return row && this.open({ account, integration }, row, []);
  }

  /** Whether it is this very secret. One whose key is gone is like another: nobody can tell. */
  async holds(sql: EntityManager, account: string, integration: string, wanted: Pick<Credential, 'kind' | 'secret'>): Promise<boolean> {
    const held = await this.held(sql, account, integration).catch(() => undefined);
    return held !== undefined && held.kind === wanted.kind && isDeepStrictEqual(held.secret, wanted.secret);
  }

  /** A new connection's credential; whatever was held before is gone, and a renewal of it under way will find nothing to write to. */
  async replace(sql: EntityManager, account: string, integration: string, kind: CredentialKind, secret: Secret): Promise<void> {
    await sql.query('DELETE FROM credentials WHERE account = $1 AND integration = $2', [account, integration]);
    const id = randomUUID();
    const { keyId, wrappedKey, box } = seal(this.keys, { account, integration, id }, JSON.stringify(secret));
    await sql.query(
      `INSERT INTO credentials (id, account, integration, kind, key_id, wrapped_key, box) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, account, integration, kind, keyId, wrappedKey, box],
    );
  }

  /**
   * The right to renew this version alone for `claimSeconds`. Nothing stays open meanwhile.
   *
   * @returns number of the claim, or undefined while somebody else has it or the version has moved on
   */
  claim({ account, id, version }: Credential): Promise<number | undefined> {
    return inAccount(this.dataSource, account, async (sql) => {
      const [[row]] = (await sql.query(
        `UPDATE credentials SET claim = claim + 1, claimed_until = now() + make_interval(secs => $3)
         WHERE id = $1 AND version = $2 AND (claimed_until IS NULL OR claimed_until < now()) RETURNING claim`,
        [id, version, claimSeconds],
      )) as Changed<{ claim: number }>;
      return row?.claim;
    });
  }

  /** Lets others try at once, after a try that failed. */
  async release({ account, id }: Credential, claim: number): Promise<void> {
    await inAccount(this.dataSource, account, (sql) =>
      sql.query('UPDATE credentials SET claimed_until = NULL WHERE id = $1 AND claim = $2', [id, claim]),
    );
  }

  /**
   * Writes the renewed secret in the place of the version that it was renewed from. Not bound to the claim: whoever holds a
   * token that the provider really gave is right, however late.
   *
   * @returns false where that version does not stand any more
   */
  async renew(sql: EntityManager, { account, integration, id, version }: Credential, secret: Secret): Promise<boolean> {
    const { keyId, wrappedKey, box } = seal(this.keys, { account, integration, id }, JSON.stringify(secret));
    const [, count] = (await sql.query(
      `UPDATE credentials SET key_id = $3, wrapped_key = $4, box = $5, version = version + 1, claimed_until = NULL, renewed_at = now()
       WHERE id = $1 AND version = $2`,
      [id, version, keyId, wrappedKey, box],
    )) as Changed<never>;
    return count === 1;
  }

  /** Whether this version still stands; the row is held until the transaction ends, so that it goes on standing. */
  async stands(sql: EntityManager, { id, version }: Credential): Promise<boolean> {
    const rows = (await sql.query('SELECT 1 FROM credentials WHERE id = $1 AND version = $2 FOR UPDATE', [id, version])) as unknown[];
    return rows.length === 1;
  }

  /**
   * Encrypts one credential anew, under the current key; its version stays, since the secret does. @returns false for one that
   * is there already, or gone. @throws what `unseal` throws
   */
  reseal(account: string, id: string): Promise<boolean> {
    return inAccount(this.dataSource, account, async (sql) => {
      const [row] = (await sql.query('SELECT * FROM credentials WHERE id = $1 AND key_id <> $2 FOR UPDATE', [
        id,
        this.keys.current.id,
      ])) as ((CredentialRow & { integration: string }) | undefined)[];
      if (!row) return false;
      const belonging = { account, integration: row.integration, id };
      const fresh = seal(this.keys, belonging, unseal(this.keys, belonging, sealedIn(row)));
      await sql.query('UPDATE credentials SET key_id = $2, wrapped_key = $3, box = $4 WHERE id = $1', [
        id,
        fresh.keyId,
        fresh.wrappedKey,
        fresh.box,
      ]);
      return true;
    });
  }

  /** Whose it is, for a message; it is not opened. */
  integrationOf(account: string, id: string): Promise<string | undefined> {
    return inAccount(this.dataSource, account, async (sql) => {
      const [row] = (await sql.query('SELECT integration FROM credentials WHERE id = $1', [id])) as { integration: string }[];
      return row?.integration;
    });
  }

  private open(place: Omit<Belonging, 'id'>, row: CredentialRow, scopes: readonly string[]): Credential {
    const { id, kind, version } = row;
    const secret = JSON.parse(unseal(this.keys, { ...place, id }, sealedIn(row))) as Secret;
    return { ...place, id, kind, version, secret, scopes };
  }
}

const sealedIn = ({ key_id: keyId, wrapped_key: wrappedKey, box }: CredentialRow) => ({ keyId, wrappedKey, box });
