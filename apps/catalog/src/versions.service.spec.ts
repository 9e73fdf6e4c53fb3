// Proves: operators publish, retire and roll back by the API, whole or not at all, with event and audit entry, and the skills directory leaves what is
// theirs alone; each update policy gives a chat the text that it names, on two replicas, and never another one.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readPiece, statArtifact } from '@skillgate/contracts/calls/artifacts';
import { listAudit, type LoadedSkill, type SkillPin } from '@skillgate/contracts/calls/catalog';
import { listProfiles } from '@skillgate/contracts/calls/registry';
import * as calls from '@skillgate/contracts/calls/skill-versions';
import { skillPublished, skillRetired } from '@skillgate/contracts/events/catalog';
import { refuse } from '@skillgate/contracts/refusal';
import type { Role } from '@skillgate/contracts/entitlements';
import { CatalogWorld, facts, type CatalogHouse } from './catalog-world.fixture.js';
import { skillMd, type SkillText } from './skills.fixture.js';

let world: CatalogWorld;
const uploads = new Map<string, Buffer>();
const told: string[] = [];

beforeAll(async () => {
  world = await CatalogWorld.open();
  const artifacts = await world.nats.connect('artifacts');
  await artifacts.serve(statArtifact, async ({ id }) => {
    const bytes = uploads.get(id);
    if (!bytes) throw refuse('unknown-artifact', 'No such file.');
    return { id, name: 'p', mime: 'application/json', bytes: bytes.length, sha256: 'a'.repeat(64), pieces: 1 };
  }).ready;
  await artifacts.serve(readPiece, async ({ id }) => ({ base64: uploads.get(id)!.toString('base64') })).ready;
  await world.wires.registry.serve(listProfiles, async () => ({ profiles: [], allToolsTokens: 0, served: [] })).ready;
  const orchestrator = world.wires.orchestrator;
  await orchestrator.watch(skillPublished, ({ slug, version }) => void told.push(`+${slug}@${version}`)).ready;
  await orchestrator.watch(skillRetired, ({ slug, version }) => void told.push(`-${slug}@${version}`)).ready;
}, 60_000);
afterEach(() => world.closeHouses());
afterAll(() => world?.nats.close());

/** Long enough for the linter to have nothing to say that stops it. */
const text = (word: string): SkillText => ({ description: `Write ${word} from notes. Use for ${word} and nothing else.`, body: `# Task\n\n${`Write the ${word} well. `.repeat(20)}` });
const pack = (files: Record<string, string>): string => {
  const id = `art_${randomUUID().replaceAll('-', '')}`;
  uploads.set(id, Buffer.from(JSON.stringify({ files: Object.entries(files).map(([path, content]) => ({ path, text: content })) })));
  return id;
};
const memo = (version: string, word = version) => ({ 'memo/SKILL.md': skillMd('memo', { version, ...text(`memo ${word}`) }) });

const authority = async (account: string, user: string, ...roles: Role[]) =>
  world.gateway.sign({ typ: 'ticket', account, user, roles, overrides: {}, policyEpoch: 1, exp: Math.floor(Date.now() / 1000) + 120 });
const operator = () => authority(randomUUID(), randomUUID(), 'operator');
const publish = async (files: Record<string, string>, mode: 'strict' | 'lenient' = 'strict') => world.wires.gateway.call(calls.publishSkills, { authority: await operator(), artifact: pack(files), mode });
const retire = async (slug: string, reason: string, version?: string) => world.wires.gateway.call(calls.retireSkill, { authority: await operator(), slug, reason, ...(version && { version }) });
const offer = async (slug: string, version: string | null) => world.wires.gateway.call(calls.makeCurrent, { authority: await operator(), slug, version });
const versions = async (slug: string) => world.wires.gateway.call(calls.listVersions, { authority: await operator(), slug });
const policy = async (slug: string, word: calls.UpdatePolicy | null) => world.wires.gateway.call(calls.setUpdatePolicy, { authority: await operator(), slug, policy: word });
const pinOf = ({ slug, version, digest }: LoadedSkill): SkillPin => ({ slug, version, digest });
const offered = async (slug: string) => (await versions(slug)).versions.find(({ current }) => current)?.version ?? null;
const until = async (done: () => boolean | Promise<boolean>) => {
  for (const end = Date.now() + 5_000; Date.now() < end && !(await done()); ) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await done()).toBe(true);
};

async function house(skills: Record<string, SkillText> = {}, replicas = 1): Promise<CatalogHouse> {
  const made = await world.house(skills);
  for (let n = 0; n < replicas; n++) await made.start();
  return made;
}

describe('a package that is only looked at', () => {
  const validate = async (files: Record<string, string>, mode: 'strict' | 'lenient' = 'strict') =>
    world.wires.gateway.call(calls.validateSkills, { authority: await authority(randomUUID(), randomUUID(), 'user'), artifact: pack(files), mode });

  it('is judged whole: what is sound, what could not be published and why, and what belongs to no skill', async () => {
    await house();
    const answer = await validate({ ...memo('1.0.0'), 'note/SKILL.md': '---\nname: note\ndescription: a: b\n---\nx', 'notes.txt': 'x' });
    expect(answer).toMatchObject({ errors: 1, unused: ['notes.txt'], skills: [{ folder: 'memo', version: '1.0.0', usable: true }, { folder: 'note', version: null, usable: false }] });
    expect(answer.findings).toContainEqual(expect.objectContaining({ level: 'error', slug: 'note', file: 'SKILL.md', line: 3, advice: expect.any(String) }));
    expect(await world.listed()).toEqual([]);
  });

  it('is compared with what the house offers, and not with itself', async () => {
    await house();
    await publish(memo('1.0.0'));
    const overlaps = (findings: readonly { rule: string; slug: string; message: string }[]) => findings.filter(({ rule }) => rule === 'overlap').map(({ slug, message }) => [slug, /"([\w-]+)"/.exec(message)![1]]);
    expect(overlaps((await validate({ 'paper/SKILL.md': skillMd('paper', { version: '1.0.0', ...text('memo 1.0.0') }) })).findings)).toEqual([['paper', 'memo']]);
    expect(overlaps((await validate(memo('1.1.0', '1.0.0'))).findings)).toEqual([]);
  });

  it('may lie in a folder of another name where that is allowed', async () => {
    await house();
    const files = { 'Other/SKILL.md': skillMd('memo', { version: '1.0.0', ...text('memo') }) };
    expect((await validate(files)).skills).toMatchObject([{ folder: 'Other', usable: false }]);
    expect((await validate(files, 'lenient')).skills).toMatchObject([{ folder: 'memo', usable: true }]);
  });
});

describe('operators', () => {
  it('publish a package, all of it or none, with its files, an event and an audit entry', async () => {
    await house();
    told.length = 0;
    const bad = { ...memo('1.0.0'), 'note/SKILL.md': '---\nname: note\ndescription: a: b\n---\nx' };
    await expect(publish(bad)).rejects.toMatchObject({ slug: 'skill-package-invalid', message: expect.stringContaining('note/SKILL.md:3') });
    expect(await world.listed()).toEqual([]);

    const { published } = await publish({ ...memo('1.0.0'), 'memo/references/form.md': '# Form' });
    expect(published).toMatchObject([{ slug: 'memo', version: '1.0.0', before: null }]);
    const read = await world.wires.gateway.call(calls.readVersion, { authority: await operator(), slug: 'memo', version: '1.0.0' });
    expect(read).toMatchObject({ origin: 'api', current: true, inDirectory: false, files: [{ path: 'SKILL.md' }, { path: 'references/form.md', bytes: 6 }] });
    const file = { authority: await operator(), slug: 'memo', version: '1.0.0', path: 'references/form.md' };
    expect(Buffer.from((await world.wires.gateway.call(calls.readVersionFile, file)).base64, 'base64').toString()).toBe('# Form');
    await until(() => told.includes('+memo@1.0.0'));
    const { entries } = await world.wires.gateway.call(listAudit, { authority: await operator() });
    expect(entries).toMatchObject([{ action: 'publish-skill', target: 'memo', actor: { roles: ['operator'] }, before: null, after: { version: '1.0.0' } }]);
  });

  it('cannot publish another text under a version that is there, nor bring a retired one back', async () => {
    await house();
    await publish(memo('1.0.0'));
    await expect(publish(memo('1.0.0', 'other'))).rejects.toMatchObject({ slug: 'version-exists' });
    await publish(memo('1.0.0')); // the same again is nothing new
    await publish(memo('1.1.0'));
    await retire('memo', 'Wrong sums.');
    expect(await offered('memo')).toBeNull();
    expect(await world.listed()).toMatchObject([{ slug: 'memo', status: 'invalid', problems: [{ rule: 'retired', message: expect.stringContaining('Wrong sums.') }] }]);
    await expect(offer('memo', '1.1.0')).rejects.toMatchObject({ slug: 'version-retired' });
    await expect(publish(memo('1.1.0'))).rejects.toMatchObject({ slug: 'version-retired' });
    expect(await offer('memo', '1.0.0')).toEqual({ slug: 'memo', version: '1.0.0', before: null });
    await until(() => told.includes('-memo@1.1.0'));
    const { entries } = await world.wires.gateway.call(listAudit, { authority: await operator() });
    expect(entries.map(({ action }) => action)).toEqual(['make-skill-current', 'retire-skill', 'publish-skill', 'publish-skill']);
  });

  it('alone do so: for everybody else it is refused', async () => {
    await house();
    const admin = await authority(randomUUID(), randomUUID(), 'admin');
    for (const asked of [
      () => world.wires.gateway.call(calls.publishSkills, { authority: admin, artifact: pack(memo('1.0.0')) }),
      () => world.wires.gateway.call(calls.retireSkill, { authority: admin, slug: 'memo', reason: 'x' }),
      () => world.wires.gateway.call(calls.makeCurrent, { authority: admin, slug: 'memo', version: '1.0.0' }),
      () => world.wires.gateway.call(calls.listVersions, { authority: admin, slug: 'memo' }),
      () => world.wires.gateway.call(calls.setUpdatePolicy, { authority: admin, slug: 'memo', policy: 'force' }),
    ]) await expect(asked()).rejects.toMatchObject({ slug: 'not-allowed' });
  });

  it('and the skills directory live together: its start touches only what is its own, until the skill is given back to it', async () => {
    const made = await house({ memo: { version: '1.0.0', ...text('memo dir') }, note: {} });
    await publish(memo('2.0.0'));
    await publish({ 'list/SKILL.md': skillMd('list', text('lists')) });
    await made.directory.write('memo/SKILL.md', skillMd('memo', { version: '1.1.0', ...text('memo dir two') }));
    await made.restart();
    expect([await offered('memo'), await offered('list'), await offered('note')]).toEqual(['2.0.0', '1.0.0', '1.0.0']);
    expect((await versions('memo')).versions.map(({ version, origin, inDirectory }) => [version, origin, inDirectory])).toEqual([
      ['1.1.0', 'directory', true],
      ['2.0.0', 'api', false],
      ['1.0.0', 'directory', false],
    ]);
    expect(await offer('memo', null)).toEqual({ slug: 'memo', version: '1.1.0', before: '2.0.0' });
    await made.restart();
    expect([await offered('memo'), (await versions('memo')).steered]).toEqual(['1.1.0', false]);
    await made.directory.remove('note');
    await made.restart();
    expect([await offered('note'), await offered('list')]).toEqual([null, '1.0.0']);
  });
});

describe('a chat that holds an older version', () => {
  const account = facts();
  const turn = async (pinned: SkillPin[], more: object = {}) => {
    const { loaded, withheld } = await world.prepare(await world.ticketOf(account), { pinned, lookAgain: true, ...more });
    return { loaded: loaded.map(({ version, replaces = null, instructions }) => [version, replaces, /memo (\S+) well/.exec(instructions)?.[1]]), withheld };
  };
  const begin = async () => {
    await house({}, 2);
    await publish(memo('1.0.0'));
    await world.prepare(await world.ticketOf(account), { lookAgain: true });
    return [pinOf(await loadEverywhere())];
  };
  /** The other replica may not have looked for a second. */
  const loadEverywhere = async () => {
    let found: LoadedSkill | undefined;
    await until(async () => {
      const all = await Promise.allSettled(Array.from({ length: 20 }, async () => world.load(await world.ticketOf(account), 'memo')));
      found = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))[0];
      return all.every(({ status }) => status === 'fulfilled');
    });
    return found!;
  };
  /** [version, replaces, word of the text], at the next turn and at the next step of a running one. */
  it.each<[calls.UpdatePolicy, unknown[], unknown[]]>([
    ['pin', ['1.0.0', null, '1.0.0'], ['1.0.0', null, '1.0.0']],
    ['next-turn', ['2.0.0', 'memo@1.0.0', '2.0.0'], ['1.0.0', null, '1.0.0']],
    ['force', ['2.0.0', 'memo@1.0.0', '2.0.0'], ['2.0.0', 'memo@1.0.0', '2.0.0']],
  ])('under %s gets at its next turn %p and within a turn %p, on every replica', async (word, next, within) => {
    const pins = await begin();
    await policy('memo', word);
    await publish(memo('2.0.0'));
    for (let n = 0; n < 8; n++) {
      expect((await turn(pins)).loaded).toEqual([next]);
      expect((await turn(pins, { midTurn: true })).loaded).toEqual([within]);
    }
  });

  it('goes by the word of its own account where there is one', async () => {
    const pins = await begin();
    await policy('memo', 'force');
    const admin = await authority(account.account, randomUUID(), 'admin');
    const own = (word: calls.UpdatePolicy | null) => world.wires.gateway.call(calls.setUpdatePolicy, { authority: admin, account: account.account, slug: 'memo', policy: word });
    expect(await own('pin')).toEqual({ slug: 'memo', policy: 'pin', by: 'account' });
    await publish(memo('2.0.0'));
    expect((await turn(pins)).loaded).toEqual([['1.0.0', null, '1.0.0']]);
    await expect(world.wires.gateway.call(calls.setUpdatePolicy, { authority: admin, account: randomUUID(), slug: 'memo', policy: 'pin' })).rejects.toMatchObject({ slug: 'not-allowed' });
    expect(await own(null)).toEqual({ slug: 'memo', policy: 'force', by: 'operator' });
    expect((await turn(pins)).loaded).toEqual([['2.0.0', 'memo@1.0.0', '2.0.0']]);
  });

  it('is not moved back by a replica that has not looked at the store since', async () => {
    const pins = await begin();
    await policy('memo', 'force');
    await publish(memo('2.0.0')); // one replica knows at once, the other within a second
    const [moved] = (await world.prepare(await world.ticketOf(account), { pinned: pins, lookAgain: true })).loaded;
    for (let n = 0; n < 12; n++) {
      const { loaded } = await world.prepare(await world.ticketOf(account), { pinned: [pinOf(moved!)] });
      expect(loaded.map(({ version, replaces = null }) => [version, replaces])).toEqual([['2.0.0', null]]);
    }
  });

  it('keeps what was retired, save under force, which says why', async () => {
    const pins = await begin();
    await retire('memo', 'Wrong sums.');
    expect((await turn(pins)).loaded).toEqual([['1.0.0', null, '1.0.0']]);
    const refused = { slug: 'skill-invalid', message: 'It was taken out of use: Wrong sums. Go on without it and say so.' };
    await expect(world.load(await world.ticketOf(account), 'memo')).rejects.toMatchObject(refused);
    await policy('memo', 'force');
    const { loaded, withheld } = await turn(pins);
    expect([loaded, withheld.find(({ slug }) => slug === 'memo')?.unmet]).toEqual([[], [expect.objectContaining({ message: expect.stringContaining('Wrong sums.') })]]);
  });

  it('goes back with a roll-back, and a skill that is always on is under the same rule', async () => {
    await begin();
    await policy('memo', 'next-turn');
    await publish(memo('2.0.0'));
    const always = async (shown: SkillPin[], midTurn = false) => {
      const { always: injected } = await world.prepare(await world.ticketOf(account, { memo: 'always' }), { shown, midTurn, lookAgain: true });
      return injected.map((skill) => ({ pin: pinOf(skill), replaces: skill.replaces ?? null }));
    };
    const [two] = await always([]);
    expect([two!.pin.version, two!.replaces]).toEqual(['2.0.0', null]);
    await offer('memo', '1.0.0');
    expect((await always([two!.pin], true)).map(({ pin }) => pin.version)).toEqual(['2.0.0']);
    expect((await always([two!.pin])).map(({ pin, replaces }) => [pin.version, replaces])).toEqual([['1.0.0', 'memo@2.0.0']]);
  });
});
