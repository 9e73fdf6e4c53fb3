import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor, AuditAction } from '@skillgate/contracts/audit';
import { mostPersonas, mostPersonaStates, type createPersona, type PersonaView, type updatePersona } from '@skillgate/contracts/calls/personas';
import type { CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { skillStates } from '@skillgate/contracts/words';
import { inAccount } from '@skillgate/store/account-scope';
import { DataSource, type EntityManager } from 'typeorm';
import { changeFacts } from './change-facts.js';
import { unknownAccount } from './facts-store.js';

type New = Omit<CallParsedInput<typeof createPersona>, 'authority'>;
type Edit = Omit<CallParsedInput<typeof updatePersona>, 'authority'>;
type Row = Omit<PersonaView, 'createdAt' | 'retiredAt' | 'policyEpoch'> & { createdAt: Date; retiredAt: Date | null; policyEpoch: number };
/** What a change leaves behind, without the words: an audit log is read by many. */
type Settings = Pick<Row, 'name' | 'model' | 'skills' | 'integrations' | 'revision'> & { instructionsLength: number };

const select = `SELECT p.id, p.slug, p.name, p.instructions, p.model, p.skills, p.integrations, p.revision,
    p.created_at AS "createdAt", p.retired_at AS "retiredAt", a.policy_epoch AS "policyEpoch"
  FROM personas p JOIN accounts a ON a.id = p.account WHERE p.account = $1`;

/**
 * Personas of accounts. What gates skills and tools is part of the account's facts, so each change raises its policy epoch. Refuses
 * `unknown-account` and `unknown-persona`.
 */
@Injectable()
export class PersonasStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Those that are not retired, in the order of their slugs. */
  list(account: string): Promise<PersonaView[]> {
    return inAccount(this.dataSource, account, async (sql) => {
      const rows = (await sql.query(`${select} AND p.retired_at IS NULL ORDER BY p.slug COLLATE "C"`, [account])) as Row[];
      const known = (await sql.query('SELECT 1 FROM accounts WHERE id = $1', [account])) as unknown[];
      if (known.length === 0) throw unknownAccount(account);
      return rows.map(viewOf);
    });
  }

  get(account: string, slug: string): Promise<PersonaView> {
    return inAccount(this.dataSource, account, async (sql) => viewOf(await requirePersona(sql, account, slug)));
  }

  /** Refuses `persona-taken` and `too-many-personas` as well. */
  create({ account, slug, ...written }: New, actor: Actor): Promise<PersonaView> {
    return this.change(account, slug, { actor, action: 'create-persona' }, async (sql) => {
      // The account's row is held: nobody else counts or inserts meanwhile.
      const [counted] = (await sql.query('SELECT count(*) FILTER (WHERE retired_at IS NULL)::int AS alive, bool_or(slug = $2) AS taken FROM personas WHERE account = $1', [account, slug])) as [{ alive: number; taken: boolean | null }];
      if (counted.taken) throw refuse('persona-taken', `There is or was a persona "${slug}" in this account; choose another slug.`);
      if (counted.alive >= mostPersonas) throw refuse('too-many-personas', `An account has at most ${mostPersonas} personas; retire one first.`);
      const { name, instructions, model, skills, integrations } = written;
      await sql.query('INSERT INTO personas (id, account, slug, name, instructions, model, skills, integrations) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', [
        ...[randomUUID(), account, slug, name, instructions, model, JSON.stringify(skills), integrations],
      ]);
      return { before: null, after: settingsOf(await requirePersona(sql, account, slug)) };
    });
  }

  /** Refuses `too-many-states` as well. */
  update({ account, slug, states = {}, ...written }: Edit, actor: Actor): Promise<PersonaView> {
    return this.change(account, slug, { actor, action: 'update-persona' }, async (sql) => {
      const before = await requirePersona(sql, account, slug);
      const given = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
      const edited = Object.entries({ ...(written.skills ?? before.skills), ...states }).filter(([, state]) => state !== null);
      if (edited.length > mostPersonaStates) throw refuse('too-many-states', `A persona holds states of at most ${mostPersonaStates} skills; set the others for the account.`);
      const after = { ...before, ...given, skills: skillStates.parse(Object.fromEntries(edited)) };
      if (same(before, after)) return null;
      const { name, instructions, model, skills, integrations } = after;
      await sql.query(
        'UPDATE personas SET name = $3, instructions = $4, model = $5, skills = $6, integrations = $7, revision = revision + 1 WHERE account = $1 AND id = $2',
        [account, before.id, name, instructions, model, JSON.stringify(skills), integrations],
      );
      return { before: settingsOf(before), after: settingsOf(await requirePersona(sql, account, slug)) };
    });
  }

  retire(account: string, slug: string, actor: Actor): Promise<PersonaView> {
    return this.change(account, slug, { actor, action: 'retire-persona' }, async (sql) => {
      const before = await requirePersona(sql, account, slug);
      await sql.query('UPDATE personas SET retired_at = now(), revision = revision + 1 WHERE account = $1 AND id = $2', [account, before.id]);
      return { before: settingsOf(before), after: null };
    });
  }

  private change(account: string, slug: string, deed: { actor: Actor; action: AuditAction }, work: (sql: EntityManager) => ReturnType<Parameters<typeof changeFacts>[3]>): Promise<PersonaView> {
    return inAccount(this.dataSource, account, async (sql) => {
      await changeFacts(sql, account, { ...deed, target: slug }, () => work(sql));
      return viewOf(await requirePersona(sql, account, slug, true));
    });
  }
}

async function requirePersona(sql: EntityManager, account: string, slug: string, alsoRetired = false): Promise<Row> {
  const [row] = (await sql.query(`${select} AND p.slug = $2 ${alsoRetired ? '' : 'AND p.retired_at IS NULL'}`, [account, slug])) as Row[];
  if (!row) throw refuse('unknown-persona', `The account has no persona "${slug}". GET /api/v1/personas lists them.`);
  return row;
}

const viewOf = ({ createdAt, retiredAt, ...row }: Row): PersonaView => ({ ...row, createdAt: createdAt.toISOString(), retiredAt: retiredAt?.toISOString() ?? null });

const settingsOf = ({ name, model, skills, integrations, revision, instructions }: Row): Settings => ({ name, model, skills, integrations, revision, instructionsLength: instructions.length });

const sorted = (states: object): string => JSON.stringify(Object.entries(states).sort(([a], [b]) => (a < b ? -1 : 1)));
const same = (one: Row, other: Row): boolean =>
  one.name === other.name &&
  one.instructions === other.instructions &&
  one.model === other.model &&
  JSON.stringify(one.integrations) === JSON.stringify(other.integrations) &&
  sorted(one.skills) === sorted(other.skills);
