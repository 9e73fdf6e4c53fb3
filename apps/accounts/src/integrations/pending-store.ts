import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Actor } from '@skillgate/contracts/audit';
import { inAccount } from '@skillgate/store/account-scope';
import type { DataSource } from 'typeorm';
import { acrossAccounts } from '../platform-scope.js';
import type { CredentialKeys } from './credential-keys.js';
import { seal, unseal } from './seal.js';

/** Minutes that a person has to agree at the provider. */
export const pendingMinutes = 10;
/** Begun and not ended, of one account; the oldest go for new ones. */
const mostPending = 20;

/** A connection that waits for a person. */
export interface Pending {
  readonly account: string;
  readonly user: string;
  readonly integration: string;
  readonly redirectUri: string;
  /** Who began it, for the audit log. */
  readonly actor: Actor;
  /** PKCE's; whoever reads the browser's addresses does not know it. */
  readonly verifier: string;
}

interface PendingRow {
  id: string;
  account: string;
  user: string;
  integration: string;
  redirect_uri: string;
  actor: Actor;
  key_id: string;
  wrapped_key: Buffer;
  box: Buffer;
}

const hashOf = (state: string): Buffer => createHash('sha256').update(state).digest();

/** Connections under way. The state is in the browser's address alone; here is its hash. */
export class PendingStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: CredentialKeys,
  ) {}

  /** @returns the state, 256 random bits, and when it ends */
  add(pending: Pending): Promise<{ state: string; expiresAt: Date }> {
    const { account, user, integration, redirectUri, actor, verifier } = pending;
    const state = randomBytes(32).toString('base64url');
    const id = randomUUID();
    const { keyId, wrappedKey, box } = seal(this.keys, { account, integration, id }, verifier);
    return inAccount(this.dataSource, account, async (sql) => {
      await sql.query(
        `DELETE FROM pending_connections WHERE account = $1 AND (expires_at < now() OR id IN
           (SELECT id FROM pending_connections WHERE account = $1 ORDER BY expires_at DESC OFFSET $2))`,
        [account, mostPending - 1],
      );
      const [row] = (await sql.query(
        `INSERT INTO pending_connections (state_hash, id, account, "user", integration, redirect_uri, actor,
           key_id, wrapped_key, box, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(mins => $11)) RETURNING expires_at`,
        [hashOf(state), id, account, user, integration, redirectUri, JSON.stringify(actor), keyId, wrappedKey, box, pendingMinutes],
      )) as { expires_at: Date }[];
      return { state, expiresAt: row!.expires_at };
    });
  }

  /** Takes it out, so that it works once; undefined for one that is unknown, used, too old, or of a revoked user. */
  async take(state: string, isAsked: (pending: Pick<Pending, 'account' | 'user'>) => boolean): Promise<Pending | undefined> {
    const [found] = (await acrossAccounts(this.dataSource, 'SELECT account FROM find_connection($1)', [hashOf(state)])) as {
      account: string;
    }[];
    if (!found) return undefined;
    return inAccount(this.dataSource, found.account, async (sql) => {
      const [row] = (await sql.query(
        `SELECT p.* FROM pending_connections p JOIN users u ON u.account = p.account AND u.id = p."user" AND u.revoked_at IS NULL
         WHERE p.state_hash = $1 AND p.expires_at > now() FOR UPDATE OF p`,
        [hashOf(state)],
      )) as PendingRow[];
      // A stranger who shows somebody's state does not use it up for them.
      if (!row || !isAsked(row)) return undefined;
      await sql.query('DELETE FROM pending_connections WHERE state_hash = $1', [hashOf(state)]);
      const { id, account, user, integration, redirect_uri: redirectUri, actor, key_id: keyId, wrapped_key: wrappedKey, box } = row;
      const verifier = unseal(this.keys, { account, integration, id }, { keyId, wrappedKey, box });
      return { account, user, integration, redirectUri, actor, verifier };
    });
  }
}
