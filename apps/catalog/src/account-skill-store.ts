import { randomUUID } from 'node:crypto';
import type { Actor, AuditAction } from '@skillgate/contracts/audit';
import type { SkillPin } from '@skillgate/contracts/calls/catalog';
import type { AccountSkill, AccountSkillStatus, PackageFileFacts, SkillFinding, UpdatePolicy } from '@skillgate/contracts/calls/skill-versions';
import type { SkillRequirements } from '@skillgate/contracts/tokens';
import type { SkillState } from '@skillgate/contracts/words';
import { inAccount } from '@skillgate/store/account-scope';
import { asHouseError } from '@skillgate/store/database-errors';
import { recordAudit } from '@skillgate/store/audit';
import type { DataSource, EntityManager } from 'typeorm';
import type { JudgedPackage } from './judge-package.js';
import type { SkillVersion } from './skill-version.js';

/** As it lies in the table. */
export interface AccountSkillRow {
  slug: string;
  version: string;
  status: AccountSkillStatus;
  current: boolean;
  author: string;
  reviewer: string | null;
  note: string | null;
  digest: string;
  title: string;
  description: string;
  default_state: SkillState;
  requires: SkillRequirements;
  body: string;
  files: PackageFileFacts[];
  findings: SkillFinding[];
  changed_at: Date;
}

export interface AccountContents {
  /** What is offered, and of what is offered no more the version that was retired last. */
  skills: AccountSkillRow[];
  updates: ReadonlyMap<string, UpdatePolicy>;
}

/** What a change makes of the rows of one slug; `null` leaves all as it is. */
export interface AccountChange {
  action: AuditAction;
  version: string;
  before: object | null;
  after: object;
}

/**
 * An account's own skills, under its row-level security: every statement sees the rows of that account and no others. Errors: `unavailable` when the
 * database is.
 */
export class AccountSkillStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Text that changes exactly when what `contents` answers changes. */
  revision(account: string): Promise<string> {
    return inAccount(this.dataSource, account, async (sql) => {
      const [row] = (await sql.query('SELECT revision FROM account_shelves')) as { revision: string }[];
      return row?.revision ?? '';
    });
  }

  contents(account: string): Promise<AccountContents> {
    return inAccount(this.dataSource, account, async (sql) => {
      const skills = (await sql.query(
        `SELECT DISTINCT ON (slug) * FROM account_skills WHERE status IN ('published', 'retired') ORDER BY slug, current DESC, changed_at DESC`,
      )) as AccountSkillRow[];
      const policies = (await sql.query('SELECT slug, update_policy FROM account_update_policies')) as { slug: string; update_policy: UpdatePolicy }[];
      return { skills, updates: new Map(policies.map(({ slug, update_policy: policy }) => [slug, policy])) };
    });
  }

  /** The very version that a chat of this account pinned. */
  pinned(account: string, { slug, version, digest }: SkillPin): Promise<SkillVersion | null> {
    return inAccount(this.dataSource, account, async (sql) => {
      const [row] = (await sql.query(
        `SELECT * FROM account_skills WHERE slug = $1 AND version = $2 AND digest = $3 AND status IN ('published', 'retired')`,
        [slug, version, digest],
      )) as AccountSkillRow[];
      return row ? accountVersion(row) : null;
    });
  }

  /** Bytes of a file of a published version; null when its package has none of exactly this name. */
  file(account: string, slug: string, version: string, path: string): Promise<Buffer | null> {
    return inAccount(this.dataSource, account, async (sql) => {
      const rows = (await sql.query('SELECT bytes FROM account_skill_files WHERE slug = $1 AND version = $2 AND path = $3', [slug, version, path])) as { bytes: Buffer }[];
      return rows[0]?.bytes ?? null;
    });
  }

  /** In how many accounts a skill of this name is offered or being written; which ones nobody learns. */
  async holders(slug: string): Promise<number> {
    try {
      const [row] = (await this.dataSource.query('SELECT accounts FROM count_holders($1)', [slug])) as { accounts: string }[];
      return Number(row?.accounts ?? 0);
    } catch (error) {
      throw asHouseError(error);
    }
  }

  /** Every version of the account, newest first. */
  all(account: string, slug?: string): Promise<AccountSkillRow[]> {
    return inAccount(this.dataSource, account, (sql) => rowsOf(sql, slug ?? null));
  }

  /**
   * One change of one slug, behind those that are under way. `work` sees every version of it, newest first, and throws what it refuses.
   *
   * @returns the version that `work` names, as it is then
   */
  change(account: string, slug: string, actor: Actor, work: (sql: EntityManager, rows: AccountSkillRow[]) => Promise<AccountChange>): Promise<AccountSkillRow> {
    return inAccount(this.dataSource, account, async (sql) => {
      await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7))', [`${account} ${slug}`]);
      const { action, version, before, after } = await work(sql, await rowsOf(sql, slug));
      await recordAudit(sql, { account, actor, action, target: `${slug}@${version}`, before, after });
      await touch(sql, account);
      return (await rowsOf(sql, slug)).find((row) => row.version === version)!;
    });
  }

  setUpdatePolicy(account: string, slug: string, policy: UpdatePolicy | null, actor: Actor): Promise<void> {
    return inAccount(this.dataSource, account, async (sql) => {
      await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7))', [`${account} ${slug}`]);
      const [row] = (await sql.query('SELECT update_policy FROM account_update_policies WHERE slug = $1', [slug])) as { update_policy: UpdatePolicy }[];
      if ((row?.update_policy ?? null) === policy) return;
      await sql.query('DELETE FROM account_update_policies WHERE slug = $1', [slug]);
      if (policy) await sql.query('INSERT INTO account_update_policies (account, slug, update_policy) VALUES ($1, $2, $3)', [account, slug, policy]);
      await recordAudit(sql, { account, actor, action: 'set-update-policy', target: slug, before: row ? { policy: row.update_policy } : null, after: policy && { policy } });
      await touch(sql, account);
    });
  }
}

/** Puts a package in place of the draft, files and all. */
export async function writeDraft(sql: EntityManager, account: string, author: string, { skill, files, findings }: JudgedPackage): Promise<void> {
  const { slug, version, digest, title, description, defaultState, requires, body } = skill;
  await sql.query(`DELETE FROM account_skills WHERE slug = $1 AND status = 'draft'`, [slug]);
  await sql.query(
    `INSERT INTO account_skills (account, slug, version, status, author, digest, title, description, default_state, requires, body, files, findings)
     VALUES ($1, $2, $3, 'draft', $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [account, slug, version, author, digest, title, description, defaultState, JSON.stringify(requires), body, JSON.stringify(skill.files ?? []), JSON.stringify(findings)],
  );
  for (const { path, bytes } of files) {
    await sql.query('INSERT INTO account_skill_files (account, slug, version, path, bytes) VALUES ($1, $2, $3, $4, $5)', [account, slug, version, path, Buffer.from(bytes)]);
  }
}

/** Moves one version on. With `current` it takes the place of the one that was offered. */
export async function moveOn(
  sql: EntityManager,
  { slug, version }: Pick<AccountSkillRow, 'slug' | 'version'>,
  to: { status: AccountSkillStatus; current: boolean; reviewer: string | null; note: string | null },
): Promise<void> {
  if (to.current) await sql.query('UPDATE account_skills SET current = false WHERE slug = $1 AND current', [slug]);
  await sql.query('UPDATE account_skills SET status = $3, current = $4, reviewer = $5, note = $6, changed_at = now() WHERE slug = $1 AND version = $2', [
    ...[slug, version, to.status, to.current, to.reviewer, to.note],
  ]);
}

const rowsOf = (sql: EntityManager, slug: string | null): Promise<AccountSkillRow[]> =>
  sql.query('SELECT * FROM account_skills WHERE $1::text IS NULL OR slug = $1 ORDER BY slug, changed_at DESC', [slug]) as Promise<AccountSkillRow[]>;

const touch = (sql: EntityManager, account: string): Promise<unknown> =>
  sql.query('INSERT INTO account_shelves (account, revision) VALUES ($1, $2) ON CONFLICT (account) DO UPDATE SET revision = excluded.revision', [account, randomUUID()]);

export const accountVersion = ({ slug, version, digest, title, description, default_state: defaultState, requires, body, files }: AccountSkillRow): SkillVersion => ({
  ...{ slug, version, digest, title, description, hidden: false, defaultState, requires, body, files },
  source: 'account',
});

export const shown = (row: AccountSkillRow): AccountSkill => {
  const { slug, version, digest, status, current, title, description, author, reviewer, note, findings } = row;
  return { slug, version, digest, status, current, title, description, author, reviewer, note, findings, changedAt: row.changed_at.toISOString() };
};
