import type { Actor, AuditAction } from '@skillgate/contracts/audit';
import type { UpdatePolicy } from '@skillgate/contracts/calls/skill-versions';
import { skillRetired } from '@skillgate/contracts/events/catalog';
import { refuse, type HouseError } from '@skillgate/contracts/refusal';
import { recordAudit } from '@skillgate/store/audit';
import { asHouseError } from '@skillgate/store/database-errors';
import { enqueueAll, outgoing } from '@skillgate/store/enqueue';
import type { DataSource, EntityManager } from 'typeorm';
import { keepFiles, offerDirectory, publishedRow, touchShelf } from './skill-store.js';
import { SkillVersionRow } from './skill-version-row.js';
import { refOf, type SkillPackage, type SkillProblem } from './skill-version.js';
import { tellPublication } from './tell-publication.js';

export interface ReviewedPackage extends SkillPackage {
  problems: SkillProblem[];
}

export interface Published {
  slug: string;
  version: string;
  digest: string;
  before: string | null;
}

/**
 * What operators do to the versions of the platform, one change at a time over all replicas, each with its audit entry, its event and the word
 * to the shelves in one transaction. Errors: `unavailable` when the database is.
 */
export class PublicationStore {
  constructor(private readonly dataSource: DataSource) {}

  /** All of them or none. Refusals: `version-exists`, `version-retired`. */
  publish(packages: readonly ReviewedPackage[], actor: Actor): Promise<Published[]> {
    return this.change(actor, 'publish-skill', async (sql) => {
      const published: Published[] = [];
      for (const { skill, files, problems } of packages) {
        const { slug, version, digest } = skill;
        const known = await sql.findOneBy(SkillVersionRow, { slug, version, status: 'published' });
        if (known && known.digest !== digest) throw exists(refOf(skill), known.digest!);
        if (known?.retiredAt) throw retiredAlready(refOf(skill), known.retiredReason);
        if (!known) await sql.insert(SkillVersionRow, { ...publishedRow(skill, 'api'), problems });
        await keepFiles(sql, refOf(skill), files);
        published.push({ slug, version, digest, before: await this.offer(sql, slug, version) });
      }
      return published;
    });
  }

  /** Null: what the skills directory holds. Refusals: `unknown-skill`, `unknown-version`, `version-retired`. */
  makeCurrent(slug: string, version: string | null, actor: Actor): Promise<{ slug: string; version: string | null; before: string | null }> {
    return this.change(actor, 'make-skill-current', async (sql) => {
      if (version !== null) {
        const row = await requireVersion(sql, slug, version);
        if (row.retiredAt) throw retiredAlready(refOf(row), row.retiredReason);
        return { slug, version, before: await this.offer(sql, slug, version) };
      }
      const before = await offeredNow(sql, await requireSkill(sql, slug));
      await steer(sql, slug, false);
      await offerDirectory(sql, slug);
      return { slug, version: await offeredNow(sql, slug), before };
    });
  }

  /** @param wanted default: what is offered. Refusals: `unknown-skill`, `unknown-version`, `version-retired` */
  retire(slug: string, wanted: string | undefined, reason: string, actor: Actor): Promise<{ slug: string; version: string; digest: string; retiredAt: string; offered: string | null }> {
    return this.attempt(async (sql) => {
      await lock(sql);
      const version = wanted ?? (await offeredNow(sql, await requireSkill(sql, slug)));
      if (version === null) throw refuse('unknown-version', `No version of "${slug}" is offered now; name the one that is to be retired.`);
      const row = await requireVersion(sql, slug, version);
      if (row.retiredAt) throw retiredAlready(refOf(row), row.retiredReason);
      const retiredAt = new Date();
      await sql.update(SkillVersionRow, { slug, version }, { current: false, retiredAt, retiredReason: reason });
      await touchShelf(sql);
      const facts = { slug, version, digest: row.digest!, reason, retiredAt: retiredAt.toISOString() };
      await enqueueAll(sql, [outgoing(skillRetired, facts, slug)]);
      const before = { version, digest: row.digest, current: row.current };
      await recordAudit(sql, { account: null, actor, action: 'retire-skill', target: slug, before, after: { version, reason } });
      return { slug, version, digest: row.digest!, retiredAt: retiredAt.toISOString(), offered: await offeredNow(sql, slug) };
    });
  }

  /** Refusal: `unknown-skill`. */
  setUpdatePolicy(slug: string, policy: UpdatePolicy, actor: Actor): Promise<void> {
    return this.attempt(async (sql) => {
      await lock(sql);
      await requireSkill(sql, slug);
      const { updatePolicy: before } = await settingsOf(sql, slug);
      if (before === policy) return;
      await sql.query(
        `INSERT INTO skill_settings (slug, update_policy) VALUES ($1, $2) ON CONFLICT (slug) DO UPDATE SET update_policy = excluded.update_policy`,
        [slug, policy],
      );
      await touchShelf(sql);
      await recordAudit(sql, { account: null, actor, action: 'set-update-policy', target: slug, before: { policy: before }, after: { policy } });
    });
  }

  /** Newest first. Refusal: `unknown-skill`. */
  versions(slug: string): Promise<{ versions: SkillVersionRow[]; steered: boolean; updatePolicy: UpdatePolicy }> {
    return this.attempt(async (sql) => {
      await requireSkill(sql, slug);
      const versions = await sql.find(SkillVersionRow, { where: { slug, status: 'published' }, order: { publishedAt: 'DESC', version: 'DESC' } });
      return { versions, ...(await settingsOf(sql, slug)) };
    });
  }

  /** Refusals: `unknown-skill`, `unknown-version`. */
  version(slug: string, version: string): Promise<SkillVersionRow> {
    return this.attempt((sql) => requireVersion(sql, slug, version));
  }

  private change<T>(actor: Actor, action: AuditAction, work: (sql: EntityManager) => Promise<T>): Promise<T> {
    return this.attempt(async (sql) => {
      await lock(sql);
      const before = await sql.findBy(SkillVersionRow, { current: true });
      const done = await work(sql);
      await touchShelf(sql);
      await tellPublication(sql, { before, after: await sql.findBy(SkillVersionRow, { current: true }), actor, action });
      return done;
    });
  }

  /** From now on an operator says what is offered. @returns what was */
  private async offer(sql: EntityManager, slug: string, version: string): Promise<string | null> {
    const before = await offeredNow(sql, slug);
    await steer(sql, slug, true);
    await sql.update(SkillVersionRow, { slug, current: true }, { current: false });
    await sql.update(SkillVersionRow, { slug, version }, { current: true });
    return before;
  }

  private async attempt<T>(work: (sql: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.dataSource.transaction(work);
    } catch (error) {
      throw asHouseError(error);
    }
  }
}

/** The same as the directory's: whoever publishes sees what the one before left. */
const lock = (sql: EntityManager): Promise<unknown> => sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('catalog.publish', 0))`);

const steer = (sql: EntityManager, slug: string, steered: boolean): Promise<unknown> =>
  sql.query('INSERT INTO skill_settings (slug, steered) VALUES ($1, $2) ON CONFLICT (slug) DO UPDATE SET steered = excluded.steered', [slug, steered]);

async function settingsOf(sql: EntityManager, slug: string): Promise<{ steered: boolean; updatePolicy: UpdatePolicy }> {
  const [row] = (await sql.query('SELECT steered, update_policy FROM skill_settings WHERE slug = $1', [slug])) as { steered: boolean; update_policy: UpdatePolicy }[];
  return { steered: row?.steered ?? false, updatePolicy: row?.update_policy ?? 'pin' };
}

const offeredNow = async (sql: EntityManager, slug: string): Promise<string | null> =>
  (await sql.findOneBy(SkillVersionRow, { slug, current: true }))?.version ?? null;

async function requireSkill(sql: EntityManager, slug: string): Promise<string> {
  if (await sql.existsBy(SkillVersionRow, { slug, status: 'published' })) return slug;
  throw refuse('unknown-skill', `No version of a skill "${slug}" was ever published here. GET /api/v1/skills/all lists them.`);
}

async function requireVersion(sql: EntityManager, slug: string, version: string): Promise<SkillVersionRow> {
  await requireSkill(sql, slug);
  const row = await sql.findOneBy(SkillVersionRow, { slug, version, status: 'published' });
  if (row) return row;
  throw refuse('unknown-version', `"${slug}" has no version ${version}. GET /api/v1/skills/${slug}/versions lists them.`);
}

const exists = (ref: string, known: string): HouseError =>
  refuse('version-exists', `${ref} was published with another content (${known.slice(0, 12)}…) and never changes. Raise skillgate.version and publish again.`);

const retiredAlready = (ref: string, reason: string | null): HouseError =>
  refuse('version-retired', `${ref} was retired (${reason ?? ''}) and stays so. Publish the text under another version.`);
