import { createHash } from 'node:crypto';
import type { SkillPin } from '@skillgate/contracts/calls/catalog';
import type { UpdatePolicy } from '@skillgate/contracts/calls/skill-versions';
import type { PackageFile } from '@skillgate/skill-format/digest';
import { asHouseError } from '@skillgate/store/database-errors';
import type { DataSource, EntityManager } from 'typeorm';
import type { Publication, StoredVersion } from './plan-publication.js';
import { filesOf } from './read-skills.js';
import { SkillVersionRow } from './skill-version-row.js';
import type { SkillVersion, UnusableFolder } from './skill-version.js';
import { tellPublication } from './tell-publication.js';

/** Skills of the platform. Errors: `unavailable` when the database is. */
export class SkillStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Publishes in one transaction, one replica at a time: `plan` sees what the one before left. */
  async publish(plan: (stored: StoredVersion[]) => Publication): Promise<Publication> {
    return this.attempt(() =>
      this.dataSource.transaction(async (manager) => {
        await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('catalog.publish', 0))`);
        const stored = await manager.find(SkillVersionRow, {
          select: { slug: true, version: true, digest: true },
          where: { status: 'published' },
        });
        const publication = plan(stored.map(({ slug, version, digest }) => ({ slug, version, digest: digest! })));
        await apply(manager, publication);
        return publication;
      }),
    );
  }

  /** Text that changes exactly when what `all` answers changes. */
  async revision(): Promise<string> {
    const rows = await this.attempt(() => this.dataSource.query('SELECT revision FROM shelf_revision') as Promise<{ revision: string }[]>);
    return rows[0]?.revision ?? '';
  }

  /** The newest state of every skill: what is offered, what is broken, and the last version of what is no more. */
  async all(): Promise<SkillVersionRow[]> {
    return this.attempt(() =>
      this.dataSource
        .createQueryBuilder(SkillVersionRow, 'v')
        .distinctOn(['v.slug', 'v.status'])
        .orderBy({ 'v.slug': 'ASC', 'v.status': 'ASC', 'v.current': 'DESC' })
        // Where nothing is offered, what was retired last says why.
        .addOrderBy('v.retired_at', 'DESC', 'NULLS LAST')
        .addOrderBy('v.published_at', 'DESC')
        .getMany(),
    );
  }

  /** Operators' word on newer versions, by slug; where there is none, chats keep what they pinned. */
  async updatePolicies(): Promise<ReadonlyMap<string, UpdatePolicy>> {
    const rows = (await this.attempt(() => this.dataSource.query('SELECT slug, update_policy FROM skill_settings'))) as { slug: string; update_policy: UpdatePolicy }[];
    return new Map(rows.map(({ slug, update_policy: policy }) => [slug, policy]));
  }

  /** The very version that a chat pinned, current or not. */
  async pinned({ slug, version, digest }: SkillPin): Promise<SkillVersion | null> {
    const row = await this.attempt(() =>
      this.dataSource.manager.findOneBy(SkillVersionRow, { slug, version, digest, status: 'published' }),
    );
    return row && versionOf(row);
  }

  /** Bytes of a file of a published version; null when its package has none of exactly this name. */
  async file(slug: string, version: string, path: string): Promise<Buffer | null> {
    const rows = (await this.attempt(() =>
      this.dataSource.query('SELECT bytes FROM skill_files WHERE slug = $1 AND version = $2 AND path = $3', [slug, version, path]),
    )) as { bytes: Buffer }[];
    return rows[0]?.bytes ?? null;
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asHouseError(error);
    }
  }
}

/**
 * What the directory holds is marked as such; it is offered unless an operator steers the skill. Versions that came by the API, and what an
 * operator said of any, stay as they are.
 */
async function apply(manager: EntityManager, { insert, current, unusable, files }: Publication): Promise<void> {
  const before = await manager.findBy(SkillVersionRow, { current: true });
  await manager.delete(SkillVersionRow, { status: 'invalid' });
  await manager.update(SkillVersionRow, { inDirectory: true }, { inDirectory: false });
  const rows = [...insert.map((skill) => publishedRow(skill, 'directory')), ...unusable.map(unusableRow)];
  if (rows.length > 0) await manager.insert(SkillVersionRow, rows);
  for (const [ref, content] of files) await keepFiles(manager, ref, content);
  for (const { slug, version, problems } of current) await manager.update(SkillVersionRow, { slug, version }, { inDirectory: true, problems });
  await offerDirectory(manager);
  await touchShelf(manager);
  await tellPublication(manager, { before, after: await manager.findBy(SkillVersionRow, { current: true }), unusable });
}

/** Of every skill that no operator steers, or of one skill: exactly what the directory holds is offered, unless it was retired. */
export async function offerDirectory(manager: EntityManager, slug: string | null = null): Promise<void> {
  const free = `($1::text IS NULL OR slug = $1) AND slug NOT IN (SELECT slug FROM skill_settings WHERE steered)`;
  await manager.query(`UPDATE skill_versions SET current = false WHERE current AND ${free}`, [slug]);
  await manager.query(`UPDATE skill_versions SET current = true WHERE in_directory AND status = 'published' AND retired_at IS NULL AND ${free}`, [slug]);
}

/** Written once for a version: what is there stays. */
export async function keepFiles(manager: EntityManager, ref: string, files: readonly PackageFile[]): Promise<void> {
  const [slug, version] = partsOf(ref);
  const [{ known }] = (await manager.query('SELECT EXISTS (SELECT 1 FROM skill_files WHERE slug = $1 AND version = $2) AS known', [slug, version])) as [{ known: boolean }];
  if (known) return;
  for (const { path, bytes } of files) {
    await manager.query('INSERT INTO skill_files (slug, version, path, bytes) VALUES ($1, $2, $3, $4)', [slug, version, path, Buffer.from(bytes)]);
  }
  await manager.update(SkillVersionRow, { slug, version }, { files: filesOf(files) });
}

const partsOf = (ref: string): [string, string] => [ref.slice(0, ref.indexOf('@')), ref.slice(ref.indexOf('@') + 1)];

/** Every replica reads the shelf anew; in the transaction of each change of it. */
export async function touchShelf(manager: EntityManager): Promise<void> {
  await manager.query('UPDATE shelf_revision SET revision = $1', [await revisionOf(manager)]);
}

async function revisionOf(manager: EntityManager): Promise<string> {
  const rows = [
    await manager.query('SELECT slug, version, digest, current, problems, retired_reason, files FROM skill_versions ORDER BY slug, version'),
    await manager.query('SELECT slug, steered, update_policy FROM skill_settings ORDER BY slug'),
  ];
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

export const publishedRow = ({ source: _none, ...skill }: SkillVersion, origin: 'directory' | 'api') => ({
  ...skill,
  files: [], // come with their bytes, in keepFiles
  problems: [],
  status: 'published' as const,
  current: false,
  origin,
});

const unusableRow = ({ folder, problems }: UnusableFolder) => ({
  slug: folder,
  version: '',
  digest: null,
  title: folder,
  description: '',
  hidden: false,
  defaultState: 'never' as const,
  requires: { capabilities: [], integrations: [], profiles: [], tools: [] },
  body: '',
  problems,
  status: 'invalid' as const,
  current: false,
});

export const versionOf = ({
  slug,
  version,
  digest,
  title,
  description,
  hidden,
  defaultState,
  requires,
  body,
  files,
}: SkillVersionRow): SkillVersion => ({
  slug,
  version,
  digest: digest!,
  title,
  description,
  hidden,
  defaultState,
  requires,
  body,
  files,
});
