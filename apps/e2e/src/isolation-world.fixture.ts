import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { modelId, startTestHouse, type TestHouse } from './test-house.fixture.js';

/** What belongs to one user: every kind of id that a request can name. */
export interface Belongings {
  /** In the user's name, file and words. */
  name: string;
  account: string;
  user: string;
  key: string;
  /** The secret of that key. */
  secret: string;
  turn: string;
  chat: string;
  artifact: string;
  /** Slug of a persona of the account, which an admin has made; one that is not there for everybody else. */
  persona: string;
  /** Slug of a skill that the user drafts for the account. */
  accountSkill: string;
  /** A call that waits for the user. */
  approval: string;
  /** An entry of the account's audit log. */
  cursor: string;
}

/** What answers that make something have in common. */
type Said = Record<'id' | 'secret', string>;

export const post = async (t: TestHouse, path: string, key: string, body: unknown): Promise<Said> => {
  const answer = await t.post(path, body, key);
  const said = (await answer.json()) as Said;
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(said)}`);
  return said;
};

async function edit(t: TestHouse, method: string, path: string, key: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { ok, status } = await fetch(t.house.url + path, { method, headers, body: JSON.stringify(body) });
  if (!ok) throw new Error(`${method} ${path} answered ${status}`);
}

/** Of the same length for all, so that no answer's length tells them apart. */
const newSlug = (): string => `p-${randomUUID().slice(0, 8)}`;

/** With its author's name in its text. */
const packageOf = (slug: string, author: string): object => ({
  files: [{ path: `${slug}/SKILL.md`, text: `---\nname: ${slug}\ndescription: Answers what ${author} asks of tides. Use it for questions on tides and not for other questions.\n---\n# Tides\n\nAnswer ${author}.\n` }],
});

/** A house in which nobody is stopped for asking too often. */
export const startQuietHouse = (env: NodeJS.ProcessEnv = {}): Promise<TestHouse> =>
  startTestHouse({ SKILLGATE_REQUESTS_A_MINUTE_KEY: '0', SKILLGATE_REQUESTS_A_MINUTE_ACCOUNT: '0', ...env });

/** The same in which files are written only when their user says yes. */
export async function startAskingHouse(): Promise<TestHouse> {
  const file = join(mkdtempSync(join(tmpdir(), 'skillgate-profiles-')), 'profiles.yaml');
  const shipped = readFileSync(new URL('../../registry/profiles.yaml', import.meta.url), 'utf8');
  writeFileSync(file, shipped.replace('- name: docs\n', '- name: docs\n    policy: { write: confirm }\n'));
  const house = await startQuietHouse({ SKILLGATE_PROFILES_FILE: file });
  return { ...house, stop: () => house.stop().finally(() => rmSync(dirname(file), { recursive: true })) };
}

export async function newAccount(t: TestHouse, name: string): Promise<string> {
  const { operator } = t.house.keys;
  const { id } = await post(t, '/api/v1/accounts', operator, { name, tier: 'pro', adminName: name });
  await edit(t, 'PUT', `/api/v1/accounts/${id}/capabilities`, operator, { capabilities: ['skill-authoring'] });
  return id;
}

/** A user with one of everything, made through the API alone. */
export async function newUser(t: TestHouse, account: string, name: string, roles: string[]): Promise<Belongings> {
  const { operator } = t.house.keys;
  const { id: user } = await post(t, `/api/v1/accounts/${account}/users`, operator, { name, roles });
  const { id: key, secret } = await post(t, `/api/v1/accounts/${account}/keys`, operator, { name, user, roles });
  const { turn, chat } = await t.turn([{ text: `Hello ${name}.` }], { messages: [{ role: 'user', content: `I am ${name}.` }] }, secret);
  await edit(t, 'PATCH', `/api/v1/chats/${chat}/skills`, secret, { 'meeting-notes': 'never' });
  const persona = newSlug();
  if (roles.includes('admin')) await post(t, '/api/v1/personas', secret, { slug: persona, name, skills: { 'meeting-notes': 'never' } });
  const accountSkill = newSlug();
  await post(t, '/api/v1/account-skills', secret, packageOf(accountSkill, name));
  const upload = await fetch(`${t.house.url}/api/v1/artifacts?name=${name}.txt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/plain' },
    body: name,
  });
  const artifact = ((await upload.json()) as { id: string }).id;
  const log = await t.get(`/api/v1/audit?account=${account}&limit=1`, operator);
  const write = [{ name: 'load_skill', arguments: { slug: 'briefing-memo' } }, { name: 'docs_write_text', arguments: { file_name: `${name}.txt`, content: name } }];
  await t.turn(write.map((call) => ({ toolCalls: [call] })), chatWords, secret);
  const { approvals } = (await (await t.get('/api/v1/approvals', secret)).json()) as { approvals: { id: string }[] };
  const { entries } = (await log.json()) as { entries: { cursor: string }[] };
  return { name, account, user, key, secret, turn, chat, artifact, persona, accountSkill, approval: approvals[0]!.id, cursor: entries[0]!.cursor };
}

/** Ids in every shape of `Belongings` under which there is nothing. A cursor is a time with an id, and the time is nobody's. */
export const nothing = ({ cursor }: Belongings): Omit<Belongings, 'secret' | 'name'> => ({
  ...{ approval: randomUUID(), account: randomUUID(), user: randomUUID(), key: randomUUID(), turn: randomUUID(), chat: randomUUID() },
  artifact: `art_${randomUUID().replaceAll('-', '')}`,
  persona: newSlug(),
  accountSkill: newSlug(),
  cursor: `${cursor.split('_')[0]}_${randomUUID()}`,
});

export const chatWords = { model: modelId, messages: [{ role: 'user', content: 'Go on.' }] };
