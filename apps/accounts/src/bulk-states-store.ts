import { Injectable } from '@nestjs/common';
import type { Actor, AuditAction } from '@skillgate/contracts/audit';
import type { SkillState } from '@skillgate/contracts/words';
import { inAccount } from '@skillgate/store/account-scope';
import { DataSource, type EntityManager } from 'typeorm';
import { changeFacts, type Change } from './change-facts.js';
import { SkillLockRow, SkillStateRow } from './entities.js';

type Edit<S extends SkillState = SkillState> = Readonly<Record<string, S | null>>;

/** States and locks of many skills, each edit one transaction with one epoch and one audit entry. Refuses `unknown-account`. */
@Injectable()
export class BulkStatesStore {
  constructor(private readonly dataSource: DataSource) {}

  setStates(account: string, edit: Edit, actor: Actor): Promise<Change> {
    return this.edit(account, edit, { actor, action: 'set-skill-states' }, {
      read: (sql, skills) => sql.query('SELECT skill, state FROM skill_states WHERE account = $1 AND skill = ANY ($2)', [account, skills]),
      drop: (sql, skills) => sql.query('DELETE FROM skill_states WHERE account = $1 AND skill = ANY ($2)', [account, skills]),
      put: (sql, rows) => sql.upsert(SkillStateRow, rows.map((row) => ({ account, ...row })), ['account', 'skill']),
    });
  }

  setLocks(account: string, by: SkillLockRow['by'], edit: Edit<SkillLockRow['state']>, actor: Actor): Promise<Change> {
    return this.edit(account, edit, { actor, action: `set-${by}-locks` }, {
      read: (sql, skills) => sql.query('SELECT skill, state FROM skill_locks WHERE account = $1 AND by = $3 AND skill = ANY ($2)', [account, skills, by]),
      drop: (sql, skills) => sql.query('DELETE FROM skill_locks WHERE account = $1 AND by = $3 AND skill = ANY ($2)', [account, skills, by]),
      put: (sql, rows) => sql.upsert(SkillLockRow, rows.map((row) => ({ account, by, ...row })), ['account', 'skill', 'by']),
    });
  }

  private edit<S extends SkillState>(account: string, edit: Edit<S>, deed: { actor: Actor; action: AuditAction }, table: Table<S>): Promise<Change> {
    return inAccount(this.dataSource, account, (sql) =>
      changeFacts(sql, account, { ...deed, target: account }, async () => {
        const before = new Map((await table.read(sql, Object.keys(edit))).map(({ skill, state }) => [skill, state]));
        const changed = Object.entries(edit).filter(([skill, state]) => (before.get(skill) ?? null) !== state);
        if (changed.length === 0) return null;
        const gone = changed.filter(([, state]) => state === null).map(([skill]) => skill);
        const rows = changed.flatMap(([skill, state]) => (state === null ? [] : [{ skill, state }]));
        if (gone.length > 0) await table.drop(sql, gone);
        if (rows.length > 0) await table.put(sql, rows);
        return { before: Object.fromEntries(changed.map(([skill]) => [skill, before.get(skill) ?? null])), after: Object.fromEntries(changed) };
      }),
    );
  }
}

interface Table<S> {
  read(sql: EntityManager, skills: string[]): Promise<{ skill: string; state: S }[]>;
  drop(sql: EntityManager, skills: string[]): Promise<unknown>;
  put(sql: EntityManager, rows: { skill: string; state: S }[]): Promise<unknown>;
}
