// Proves, with two of every service: a skill that is republished in mid-chat reaches the chat as its update policy says, and no request ever carries a
// text that is not that of the version it names. Read from the exact bytes that the model is sent. And an account's own skill is its own alone.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { zipOf } from '@skillgate/skill-format/import/zip.fixture';
import type { ChatRequest, Script, ScriptStep } from '@skillgate/testing/script';
import { type ReplicatedHouse, startReplicatedHouse, type TestAccount } from './replicated-house.fixture.js';
import { readAnswer } from './test-house.fixture.js';

let t: ReplicatedHouse;
beforeAll(async () => {
  t = await startReplicatedHouse();
}, 120_000);
afterAll(() => t?.stop(), 60_000);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const send = async (method: string, path: string, body?: unknown, key: string = t.house.keys.operator) => {
  const response = await fetch(t.house.url + path, { method, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const skillMd = (slug: string, version: string) =>
  `---\nname: ${slug}\ndescription: Write tide tables for ${slug} from notes. Use for tides at ${slug} and nothing else.\nmetadata:\n  skillgate.version: "${version}"\n---\n\n# Tides\n\nText of ${slug}@${version} ends here.\n${'Write each tide with its hour and height. '.repeat(20)}\n`;
const packageOf = (slug: string, version: string, more: object[] = []) => ({ files: [{ path: `${slug}/SKILL.md`, text: skillMd(slug, version) }, ...more] });
const publish = async (slug: string, version: string) => expect(await send('POST', '/api/v1/skills', packageOf(slug, version))).toMatchObject({ status: 201 });

const load = (slug: string): ScriptStep => ({ toolCalls: [{ name: 'load_skill', arguments: { slug } }] });
const list: ScriptStep = { toolCalls: [{ name: 'list_skills', arguments: { query: 'tides' } }] };

/** Every section of instructions in a request, by what it says that it is. */
function sectionsOf({ messages }: ChatRequest): { name: string; version: string; replaces: string | null; text: string }[] {
  const all = messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content ?? ''))).join('\n');
  return [...all.matchAll(/<skill name="([^"]+)" version="([^"]+)"(?: written_by="account")?(?: replaces="([^"]+)")?>\n([\s\S]*?)\n<\/skill>/g)].map(([, name, version, replaces, text]) => ({
    ...{ name: name!, version: version!, text: text! },
    replaces: replaces ?? null,
  }));
}

/** Plays a turn and looks at each of its requests. @returns [version, replaces] of each section, request by request */
async function turn(account: TestAccount, steps: (ScriptStep | (() => Promise<ScriptStep>))[], gateway: number, chat?: string) {
  const seen: [string, string | null][][] = [];
  const heads: string[] = [];
  const script: Script = steps.map((step) => async (request: ChatRequest) => {
    const sections = sectionsOf(request);
    for (const { name, version, text } of sections) {
      expect(text).toContain(`Text of ${name}@${version} ends here.`);
      expect([...text.matchAll(/Text of (\S+) ends/g)].map(([, ref]) => ref)).toEqual([`${name}@${version}`]);
    }
    seen.push(sections.map(({ version, replaces }) => [version, replaces]));
    heads.push(String(request.messages[0]?.content));
    return typeof step === 'function' ? step() : step;
  });
  t.model.extend(script);
  const answer = await readAnswer(await t.ask(gateway, { messages: [{ role: 'user', content: 'The tides.' }], ...(chat && { skillgate: { chat_id: chat } }) }, account.key));
  t.model.assertConsumed();
  const { entered } = await t.get<{ entered: object[] }>(`/api/v1/turns/${answer.turn}/route`, account.key);
  return { chat: answer.chat, seen, heads, entered };
}

const done: ScriptStep = { text: 'Done.' };
const one: [string, null] = ['1.0.0', null];
const two = (slug: string): [string, string] => ['2.0.0', `${slug}@1.0.0`];

describe('a skill that is republished in mid-chat', () => {
  it.each<[string, (slug: string) => [string, string | null][], (slug: string) => [string, string | null][]]>([
    ['pin', () => [one], () => [one]],
    ['next-turn', () => [one], (slug) => [one, two(slug)]],
    ['force', (slug) => [one, two(slug)], (slug) => [one, two(slug)]],
  ])('under %s', async (policy, within, next) => {
    const slug = `tides-${policy}`;
    const account = await t.account('pro');
    await publish(slug, '1.0.0');
    expect(await send('PUT', `/api/v1/skills/${slug}/update-policy`, { policy })).toMatchObject({ status: 200, body: { policy } });
    await pause(1_100); // every replica has looked by then
    const republish = async () => {
      await publish(slug, '2.0.0');
      await pause(500); // the event is under way to both orchestrators
      return list;
    };
    const first = await turn(account, [load(slug), republish, list, done], 0);
    expect(first.seen).toEqual([[], [one], within(slug), within(slug)]);
    for (const gateway of [0, 1, 0, 1]) {
      const later = await turn(account, [done], gateway, first.chat);
      expect(later.seen).toEqual([next(slug)]);
      expect(new Set([...first.heads, ...later.heads]).size).toBe(1); // the frozen prefix, to the byte
    }
    if (policy !== 'next-turn') return;
    // And back: an older version replaces the newer one in turn.
    await send('PUT', `/api/v1/skills/${slug}/current`, { version: '1.0.0' });
    await pause(1_100);
    const back = await turn(account, [done], 1, first.chat);
    expect(back.seen).toEqual([[one, two(slug), ['1.0.0', `${slug}@2.0.0`]]]);
    expect(back.entered).toEqual([{ skill: slug, version: '1.0.0', replaces: `${slug}@2.0.0` }]);
  }, 60_000);
});

describe('a zip', () => {
  const upload = async (entries: { name: string; content: string }[]) => {
    const response = await fetch(`${t.house.url}/api/v1/skills`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.house.keys.operator}`, 'content-type': 'application/zip' },
      body: new Uint8Array(zipOf(...entries)),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('is published with all its skills, or refused whole with every reason', async () => {
    const pair = ['ebb', 'flow'].map((slug) => ({ name: `${slug}/SKILL.md`, content: skillMd(slug, '1.0.0') }));
    expect(await upload([...pair, { name: '../out.md', content: 'x' }])).toMatchObject({ status: 422, body: { slug: 'skill-package-invalid', detail: expect.stringContaining('../out.md') } });
    expect(await send('GET', '/api/v1/skills/ebb/versions')).toMatchObject({ status: 404 });
    expect(await upload(pair)).toMatchObject({ status: 201, body: { published: [{ slug: 'ebb' }, { slug: 'flow' }] } });
    expect(await send('GET', '/api/v1/skills/flow/versions')).toMatchObject({ status: 200, body: { steered: true, versions: [{ origin: 'api', current: true }] } });
  }, 30_000);
});

describe('a file that came with a skill', () => {
  it('is read while the skill is loaded, by its exact name, and the tool for it is there for no other skill', async () => {
    const account = await t.account('pro');
    const files = [
      { path: 'almanac/references/moon.md', text: `Moon rules.\n${'x'.repeat(60_000)}` },
      { path: 'almanac/assets/moon.png', base64: Buffer.from([0x89, 0x50, 0, 1]).toString('base64') },
    ];
    expect(await send('POST', '/api/v1/skills', packageOf('almanac', '1.0.0', files))).toMatchObject({ status: 201 });
    await publish('plain', '1.0.0');
    await pause(1_100);
    const tools: string[][] = [];
    const results: string[] = [];
    const step = (next: ScriptStep) => (request: ChatRequest) => {
      tools.push((request.tools ?? []).map(({ function: { name } }) => name).filter((name) => name === 'read_skill_file'));
      results.push(String(request.messages.findLast(({ role }) => role === 'tool')?.content));
      return next;
    };
    const read = (path: string, skill = 'almanac'): ScriptStep => ({ toolCalls: [{ name: 'read_skill_file', arguments: { skill, path } }] });
    const wrong = ['../almanac/references/moon.md', 'references/../references/moon.md', 'SKILL.md', '/etc/passwd'];
    t.model.extend([
      ...[load('plain'), load('almanac'), read('references/moon.md'), read('assets/moon.png'), ...wrong.map((path) => read(path)), read('references/moon.md', 'plain')].map(step),
      step(done),
    ]);
    const { chat } = await readAnswer(await t.ask(0, { messages: [{ role: 'user', content: 'Moon.' }] }, account.key));
    t.model.assertConsumed();
    expect(tools.map(({ length }) => length)).toEqual([0, 0, ...Array.from({ length: 8 }, () => 1)]);
    expect(results[3]).toContain('Moon rules.');
    expect(results[3]!.length).toBeLessThan(60_000);
    expect(results[4]).toContain('binary-file');
    for (const refused of results.slice(5, 10)) expect(refused).toContain('unknown-file');
    t.model.extend([step(read('references/moon.md')), step(done)]);
    await readAnswer(await t.ask(1, { messages: [{ role: 'user', content: 'Again.' }], skillgate: { chat_id: chat } }, account.key));
    expect([tools.at(-2)!.length, results.at(-1)!.includes('Moon rules.')]).toEqual([1, true]);
  }, 60_000);
});

describe("an account's own skill", () => {
  it('is drafted, reviewed and loaded there, labelled as the account\'s, and is like none for everybody else', async () => {
    const [mine, other] = [await t.account('pro'), await t.account('pro')];
    const draft = () => send('POST', '/api/v1/account-skills', packageOf('harbour', '1.0.0'), mine.key);
    expect(await draft()).toMatchObject({ status: 403, body: { slug: 'skill-authoring-missing' } });
    await t.put(`/api/v1/accounts/${mine.id}/capabilities`, { capabilities: ['skill-authoring'] });
    const admin = String((await send('POST', `/api/v1/accounts/${mine.id}/keys`, { name: 'admin', roles: ['user', 'admin'] })).body.secret);

    expect(await draft()).toMatchObject({ status: 201, body: { slug: 'harbour', status: 'draft', author: mine.user } });
    expect(await send('POST', '/api/v1/account-skills/harbour/review', { verdict: 'publish' }, admin)).toMatchObject({ status: 409, body: { slug: 'not-in-review' } });
    expect(await send('POST', '/api/v1/account-skills/harbour/submit', {}, mine.key)).toMatchObject({ status: 200, body: { status: 'review' } });
    expect(await send('POST', '/api/v1/account-skills/harbour/review', { verdict: 'publish' }, mine.key)).toMatchObject({ status: 403 });
    expect(await send('POST', '/api/v1/account-skills/harbour/review', { verdict: 'publish' }, admin)).toMatchObject({ status: 200, body: { status: 'published', current: true } });
    await pause(1_100);

    let label = '';
    const notice = (request: ChatRequest): ScriptStep => {
      const at = request.messages.findIndex(({ content }) => String(content).includes('written_by="account"'));
      label = String(request.messages[at]?.role);
      return done;
    };
    t.model.extend([load('harbour'), notice]);
    await readAnswer(await t.ask(1, { messages: [{ role: 'user', content: 'Tides.' }] }, mine.key));
    t.model.assertConsumed();
    expect(label).toBe('tool');

    expect(await send('GET', '/api/v1/account-skills/harbour', undefined, other.key)).toMatchObject({ status: 404 });
    const seenBy = async (key: string) => (await t.get<{ skills: { slug: string }[] }>('/api/v1/skills', key)).skills.some(({ slug }) => slug === 'harbour');
    expect([await seenBy(mine.key), await seenBy(other.key)]).toEqual([true, false]);
    let refused = '';
    t.model.extend([load('harbour'), (request) => ((refused = String(request.messages.findLast(({ role }) => role === 'tool')?.content)), done)]);
    await readAnswer(await t.ask(0, { messages: [{ role: 'user', content: 'Tides.' }] }, other.key));
    expect(refused).toContain('unknown-skill');
  }, 60_000);
});
