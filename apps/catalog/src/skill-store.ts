import { createHash } from 'node:crypto';
import type { SkillPin } from '@skillgate/contracts/calls/catalog';
import { asHouseError } from '@skillgate/store/database-errors';
import type { DataSource, EntityManager } from 'typeorm';
import type { Publication, StoredVersion } from './plan-publication.js';
import { SkillVersionRow } from './skill-version-row.js';
import type { SkillVersion, UnusableFolder } from './skill-version.js';
import { tellPublication } from './tell-publication.js';

/** The only SQL of this service. Errors: `unavailable` when the database is. */
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
        .orderBy({ 'v.slug': 'ASC', 'v.status': 'ASC', 'v.current': 'DESC', 'v.published_at': 'DESC' })
        .getMany(),
    );
  }

  /** The very version that a chat pinned, current or not. */
  async pinned({ slug, version, digest }: SkillPin): Promise<SkillVersion | null> {
    const row = await this.attempt(() =>
      this.dataSource.manager.findOneBy(SkillVersionRow, { slug, version, digest, status: 'published' }),
    );
    return row && versionOf(row);
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asHouseError(error);
    }
  }
}

async function apply(manager: EntityManager, { insert, current, unusable }: Publication): Promise<void> {
  const before = await manager.findBy(SkillVersionRow, { current: true });
  await manager.delete(SkillVersionRow, { status: 'invalid' });
  await manager.update(SkillVersionRow, { current: true }, { current: false });
  const rows = [...insert.map(publishedRow), ...unusable.map(unusableRow)];
  if (rows.length > 0) await manager.insert(SkillVersionRow, rows);
  for (const { slug, version, problems } of current) await manager.update(SkillVersionRow, { slug, version }, { current: true, problems });
  await manager.query('UPDATE shelf_revision SET revision = $1', [await revisionOf(manager)]);
  await tellPublication(manager, { before, after: await manager.findBy(SkillVersionRow, { current: true }), unusable });
}

async function revisionOf(manager: EntityManager): Promise<string> {
  const rows = await manager.query('SELECT slug, version, digest, current, problems FROM skill_versions ORDER BY slug, version');
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

const publishedRow = (skill: SkillVersion) => ({ ...skill, problems: [], status: 'published' as const, current: false });

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
});
