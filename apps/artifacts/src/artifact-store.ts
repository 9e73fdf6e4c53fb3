import { refuse } from '@skillgate/contracts/refusal';
import { inAccount } from '@skillgate/store/account-scope';
import { asHouseError } from '@skillgate/store/database-errors';
import type { DataSource, EntityManager } from 'typeorm';
import type { Artifact, ArtifactStatus } from './artifact.js';
import { ArtifactRow } from './artifact-row.js';

export interface NewArtifact extends Omit<Artifact, 'status'> {
  user: string;
  chat?: string;
  turn?: string;
  madeBy: string;
}

/** Whose files are meant: a file belongs to one user of an account. */
export interface Owner {
  account: string;
  user: string;
}

/**
 * The only SQL of this service. Each statement sees the rows of one account, and what serves a call those of one user of it;
 * another's artifact is simply not there.
 */
export class ArtifactStore {
  constructor(private readonly dataSource: DataSource) {}

  async insert({ id, user, chat, turn, ...rest }: NewArtifact): Promise<void> {
    const row = { ...rest, id: uuidOf(id), userId: user, chat: chat ?? null, turn: turn ?? null, status: 'open' as const };
    await inAccount(this.dataSource, rest.account, async (manager) => {
      if (chat) await requireChat(manager, chat);
      await manager.insert(ArtifactRow, row);
    });
  }

  /**
   * Takes every file of a chat out of reach and takes none for it from now on: what a tool of its last turn brings late is refused.
   *
   * @returns ids of those that are to be removed, with what an earlier call left
   */
  async expireChat(account: string, chat: string): Promise<string[]> {
    const rows = await inAccount(this.dataSource, account, async (manager) => {
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 20))', [chat]);
      await manager.query(`DELETE FROM deleted_chats WHERE deleted_at < now() - interval '1 day'`); // no grant and no ticket lives so long
      await manager.query('INSERT INTO deleted_chats (account, chat) VALUES ($1, $2) ON CONFLICT DO NOTHING', [account, chat]);
      const [expired] = (await manager.query(`UPDATE artifacts SET status = 'expired' WHERE chat = $1 RETURNING id`, [chat])) as [{ id: string }[], number];
      return expired;
    });
    return rows.map(({ id }) => idOf(id));
  }

  /** `ready` and `open` ones; an expired one is gone. */
  async find({ account, user: userId }: Owner, id: string): Promise<Artifact | null> {
    const row = await inAccount(this.dataSource, account, (manager) => manager.findOneBy(ArtifactRow, { account, userId, id: uuidOf(id) }));
    return row && row.status !== 'expired' ? artifactOf(row) : null;
  }

  async list({ account, user: userId }: Owner, limit: number): Promise<Artifact[]> {
    const rows = await inAccount(this.dataSource, account, (manager) =>
      manager.find(ArtifactRow, { where: { account, userId, status: 'ready' }, order: { createdAt: 'DESC', id: 'ASC' }, take: limit }),
    );
    return rows.map(artifactOf);
  }

  /** @returns whether the artifact stood at `from`, so that of two who try one succeeds */
  async move(account: string, id: string, from: ArtifactStatus, to: ArtifactStatus): Promise<boolean> {
    const { affected } = await inAccount(this.dataSource, account, (manager) =>
      manager.update(ArtifactRow, { account, id: uuidOf(id), status: from }, { status: to }),
    );
    return affected === 1;
  }

  /** @returns the expired artifact that this call deleted, or null when another was faster */
  async deleteExpired(account: string, id: string): Promise<boolean> {
    const { affected } = await inAccount(this.dataSource, account, (manager) =>
      manager.delete(ArtifactRow, { account, id: uuidOf(id), status: 'expired' }),
    );
    return affected === 1;
  }

  /** Ids of up to 100 artifacts of all accounts that were begun before `olderThan` and never finished. */
  async unfinished(olderThan: Date): Promise<{ account: string; id: string }[]> {
    try {
      const rows = (await this.dataSource.query('SELECT account, id FROM unfinished_artifacts($1)', [olderThan])) as {
        account: string;
        id: string;
      }[];
      return rows.map(({ account, id }) => ({ account, id: idOf(id) }));
    } catch (error) {
      throw asHouseError(error);
    }
  }

  /** Of any status; for the sweep, which needs to know how many pieces there may be. */
  async bytesOf(account: string, id: string): Promise<number> {
    const row = await inAccount(this.dataSource, account, (manager) => manager.findOneBy(ArtifactRow, { account, id: uuidOf(id) }));
    return row?.bytes ?? 0;
  }
}

/** Refusal: `bad-authority` for a chat that was deleted. Held until the commit, so that no deletion comes in between. */
async function requireChat(manager: EntityManager, chat: string): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 20))', [chat]);
  const gone: unknown[] = await manager.query('SELECT 1 FROM deleted_chats WHERE chat = $1', [chat]);
  if (gone.length > 0) throw refuse('bad-authority', 'The chat of this call was deleted: no file is kept for it any more.');
}

const uuidOf = (id: string): string => id.slice('art_'.length).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const idOf = (uuid: string): string => `art_${uuid.replaceAll('-', '')}`;

const artifactOf = ({ id, account, name, mime, bytes, sha256, status, createdAt }: ArtifactRow): Artifact => ({
  id: idOf(id),
  account,
  name,
  mime,
  bytes,
  sha256,
  status,
  createdAt,
});
