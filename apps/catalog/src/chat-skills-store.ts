import type { Actor } from '@skillgate/contracts/audit';
import { refuse } from '@skillgate/contracts/refusal';
import { skillStates, type SkillStateEdit, type SkillStates } from '@skillgate/contracts/words';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import type { DataSource, EntityManager } from 'typeorm';

/** More than anybody sets by hand; it rides in every decision about the chat. */
const mostStates = 200;

/** States of skills in single chats. Errors: `unavailable` when the database is. */
export class ChatSkillsStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Of a chat that has none, none: it is read anew for each decision, so that every replica sees a change at once. */
  of(account: string, chat: string): Promise<SkillStates> {
    return inAccount(this.dataSource, account, (sql) => read(sql, chat));
  }

  /**
   * All of the edit in one transaction, and its audit entry with it. Refusal: `too-many-states`.
   *
   * @param replace what the edit does not name goes
   */
  edit(account: string, chat: string, edit: SkillStateEdit, replace: boolean, actor: Actor): Promise<SkillStates> {
    return inAccount(this.dataSource, account, async (sql) => {
      // Held also where there is no row yet, so that two edits of a chat follow one another.
      await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 6))', [chat]);
      const before = await read(sql, chat);
      const after = skillStates.parse(without({ ...(replace ? {} : before), ...edit }));
      if (Object.keys(after).length > mostStates) {
        throw refuse('too-many-states', `A chat holds states of at most ${mostStates} skills; set the others for the account or a persona.`);
      }
      if (same(before, after)) return after;
      await sql.query(
        `INSERT INTO chat_skills (account, chat, skills) VALUES ($1, $2, $3)
         ON CONFLICT (account, chat) DO UPDATE SET skills = excluded.skills, changed_at = now()`,
        [account, chat, JSON.stringify(after)],
      );
      await recordAudit(sql, { account, actor, action: 'set-chat-skills', target: chat, before, after });
      return after;
    });
  }

  /** For a chat that is gone: its own user deleted it, and the orchestrator's log says who. */
  async forget(account: string, chat: string): Promise<void> {
    await inAccount(this.dataSource, account, (sql) => sql.query('DELETE FROM chat_skills WHERE chat = $1', [chat]));
  }
}

/** Under the account of the transaction: a chat of another one has no row here. */
async function read(sql: EntityManager, chat: string): Promise<SkillStates> {
  const [row] = (await sql.query('SELECT skills FROM chat_skills WHERE chat = $1', [chat])) as { skills: unknown }[];
  return row ? skillStates.parse(row.skills) : {};
}

const without = (edit: SkillStateEdit): object => Object.fromEntries(Object.entries(edit).filter(([, state]) => state !== null));

const same = (one: SkillStates, other: SkillStates): boolean =>
  Object.keys(one).length === Object.keys(other).length && Object.entries(one).every(([slug, state]) => other[slug] === state);
