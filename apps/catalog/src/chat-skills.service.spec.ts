import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { explainSkills, getChatSkills, listAudit, previewEntries, setChatSkills } from '@skillgate/contracts/calls/catalog';
import { previewTools } from '@skillgate/contracts/calls/registry';
import type { Entitlements, PersonaFacts } from '@skillgate/contracts/entitlements';
import type { SkillStateEdit } from '@skillgate/contracts/words';
import { CatalogWorld, facts, slugs } from './catalog-world.fixture.js';

let world: CatalogWorld;
const asked: { requires: { profiles: string[] }; persona?: string; account?: string }[] = [];

beforeAll(async () => {
  world = await CatalogWorld.open();
  await world.wires.registry.serve(previewTools, async ({ requires, persona, account }) => {
    asked.push({ requires, ...(persona && { persona }), ...(account && { account }) });
    const withheld = [{ name: 'docs/docs_write_text', slug: 'policy-denies', message: 'Denied.' }];
    return { loadable: true, profiles: requires.profiles, tools: [], withheld, tokens: 7, policyEpoch: 1 };
  }).ready;
}, 30_000);
afterEach(() => world.closeHouses());
afterAll(() => world?.nats.close());

const shelf = {
  minutes: { description: 'Minutes of meetings.', body: 'Name every decision that was made.' },
  mails: { description: 'Write mails.', integrations: 'gmail' },
  memo: { description: 'Write a memo.', profiles: 'docs' },
  secret: { description: 'Nobody may see it.', hidden: 'true' },
};
const persona: PersonaFacts = { id: randomUUID(), slug: 'editor', revision: 2, skills: { minutes: 'never' }, integrations: [] };

/** One user in one chat; `authority` is for this request, `turn` is the ticket of the chat's next turn. */
async function inChat(who: Entitlements = facts({ personas: [persona] })) {
  const chat = randomUUID();
  const roles = ['user' as const];
  const more = { chat, turn: undefined, roles };
  return {
    who,
    chat,
    authority: await world.ticketOf(who, {}, more),
    asEditor: await world.ticketOf(who, {}, { ...more, persona: { id: persona.id, slug: persona.slug, revision: persona.revision } }),
    turn: await world.ticketOf(who, {}, { chat }),
  };
}
const edit = (authority: string, states: SkillStateEdit, replace = false) => world.wires.gateway.call(setChatSkills, { authority, states, replace });
const explainOf = (ticket: string, more: object = {}) => world.wires.gateway.call(explainSkills, { ticket, ...more });
const layerOf = ({ skills }: Awaited<ReturnType<typeof explainOf>>, slug: string) => skills.find((each) => each.slug === slug)?.layer;

describe('states of a chat', () => {
  it('decide its next turn and no other chat, and each replica sees them at once', async () => {
    const house = await world.house(shelf);
    await house.start();
    await house.start(); // calls go to either
    const { who, turn, authority } = await inChat();
    expect(slugs((await world.prepare(turn)).entries)).toEqual(['memo', 'minutes']);
    expect((await edit(authority, { minutes: 'never', memo: 'always' })).skills).toEqual({ memo: 'always', minutes: 'never' });
    for (let n = 0; n < 6; n++) {
      const { entries, always, withheld, visible } = await world.prepare(turn);
      expect([slugs(entries), slugs(always)]).toEqual([[], ['memo']]);
      expect(withheld).toContainEqual(expect.objectContaining({ slug: 'minutes', layer: 'chat', state: 'never', version: '1.0.0' }));
      expect(visible).toContainEqual(expect.objectContaining({ slug: 'memo', layer: 'chat' }));
    }
    await expect(world.load(turn, 'minutes')).rejects.toMatchObject({ slug: 'skill-never' });
    expect(slugs((await world.prepare(await world.ticketOf(who))).entries)).toContain('minutes');
  });

  it('are edited one by one, or replaced whole', async () => {
    await (await world.house(shelf)).start();
    const { authority } = await inChat();
    await edit(authority, { minutes: 'never', memo: 'always' });
    expect((await edit(authority, { memo: null, mails: 'never' })).skills).toEqual({ minutes: 'never', mails: 'never' });
    expect((await edit(authority, { memo: 'never' }, true)).skills).toEqual({ memo: 'never' });
    expect((await world.wires.gateway.call(getChatSkills, { authority })).skills).toEqual({ memo: 'never' });
  });

  it('are set all or not at all: unknown and hidden skills are refused, each by name', async () => {
    await (await world.house(shelf)).start();
    const { authority } = await inChat();
    await edit(authority, { memo: 'never' });
    const refused = await edit(authority, { minutes: 'never', nothing: 'always', secret: 'always' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ slug: 'unknown-skill', details: { skills: ['nothing', 'secret'] }, message: expect.stringMatching(/"nothing", "secret".*nothing was changed/) });
    expect((await world.wires.gateway.call(getChatSkills, { authority })).skills).toEqual({ memo: 'never' });
    expect((await edit(authority, { nothing: null, memo: null })).skills).toEqual({}); // what is gone can be cleared away
  });

  it('stand in the audit log with what was before, once for each change', async () => {
    await (await world.house(shelf)).start();
    const { who, chat, authority } = await inChat();
    await edit(authority, { memo: 'never' });
    await edit(authority, { memo: 'never' });
    const admin = await world.ticketOf(who, {}, { chat: undefined, turn: undefined, roles: ['admin'] });
    const { entries } = await world.wires.gateway.call(listAudit, { authority: admin, account: who.account });
    expect(entries).toEqual([expect.objectContaining({ action: 'set-chat-skills', target: chat, before: {}, after: { memo: 'never' } })]);
  });

  it('are not changed by the ticket of a turn, by one without a chat, or by nobody in particular', async () => {
    await (await world.house(shelf)).start();
    const who = facts();
    const tickets = [{}, { chat: undefined, turn: undefined, roles: ['user' as const] }, { turn: undefined }];
    const slugsOf = await Promise.all(tickets.map(async (more) => edit(await world.ticketOf(who, {}, more), {}).then(() => 'taken', ({ slug }) => slug)));
    expect(slugsOf).toEqual(['authority-missing', 'unknown-chat', 'not-allowed']);
  });

  it('of another account under the same id are never seen', async () => {
    await (await world.house(shelf)).start();
    const { chat, authority } = await inChat();
    await edit(authority, { minutes: 'never' });
    const stranger = await world.ticketOf(facts(), {}, { chat });
    expect(slugs((await world.prepare(stranger)).entries)).toContain('minutes');
  });
});

describe('a persona of a ticket', () => {
  it('decides below the chat and above the account, and narrows what is connected', async () => {
    await (await world.house(shelf)).start();
    const who = facts({ personas: [persona], integrations: ['gmail'], skills: { minutes: 'always' } });
    const { asEditor, authority, turn } = await inChat(who);
    const plain = await explainOf(authority);
    const seen = await explainOf(asEditor);
    expect([layerOf(plain, 'minutes'), layerOf(seen, 'minutes')]).toEqual(['account', 'persona']);
    const mails = seen.skills.find(({ slug }) => slug === 'mails');
    expect(mails).toMatchObject({ usable: false, requirements: [{ kind: 'integration', need: 'gmail', met: false }] });
    expect(slugs((await world.prepare(turn)).entries)).toContain('mails');
    await edit(authority, { minutes: 'available' });
    expect(layerOf(await explainOf(asEditor), 'minutes')).toBe('chat');
  });

  it('that was retired meanwhile leaves a turn without rights', async () => {
    await (await world.house(shelf)).start();
    const ticket = await world.ticketOf(facts(), {}, { persona: { id: persona.id, slug: 'editor', revision: 2 } });
    await expect(world.prepare(ticket)).rejects.toMatchObject({ slug: 'ticket-invalid', message: expect.stringContaining('retired') });
  });
});

describe('explaining', () => {
  it('says what each skill would open, and asks once for skills that ask for the same', async () => {
    await (await world.house({ ...shelf, letter: { profiles: 'docs' } })).start();
    const { authority } = await inChat();
    asked.length = 0;
    const { skills } = await explainOf(authority, { opens: true, persona: 'editor' });
    expect(asked).toEqual([{ requires: expect.objectContaining({ profiles: ['docs'] }), persona: 'editor' }]);
    expect(skills.find(({ slug }) => slug === 'letter')?.opens).toMatchObject({ profiles: ['docs'], withheld: [{ name: 'docs/docs_write_text' }] });
    expect(skills.find(({ slug }) => slug === 'minutes')?.opens).toEqual({ loadable: true, profiles: [], tools: [], withheld: [], tokens: 0 });
    expect(slugs(skills)).not.toContain('secret');
  });

  it('another account is for operators, another chat for admins; who may not learns nothing of either', async () => {
    await (await world.house(shelf)).start();
    const theirs = facts({ skills: { minutes: 'never' }, personas: [persona] });
    await world.ticketOf(theirs);
    const by = async (role: 'user' | 'admin' | 'operator', more: object) =>
      explainOf(await world.ticketOf(facts(), {}, { chat: undefined, turn: undefined, roles: [role] }), more).then(
        (answer) => layerOf(answer, 'minutes'),
        ({ slug }) => slug as string,
      );
    const account = theirs.account;
    expect(await Promise.all((['user', 'admin', 'operator'] as const).map((role) => by(role, { account })))).toEqual(['not-allowed', 'not-allowed', 'account']);
    expect(await by('operator', { account, persona: 'editor' })).toBe('persona');
    expect(await by('operator', { account, persona: 'nobody' })).toBe('unknown-persona');
    expect(await by('operator', { account: randomUUID() })).toBe('unknown-account');
    expect(await Promise.all((['user', 'admin'] as const).map((role) => by(role, { chat: randomUUID() })))).toEqual(['not-allowed', 'default']);
  });

  it('warns of more always-on instructions than are meant to be, as the turn does', async () => {
    const body = 'word '.repeat(4_100);
    await (await world.house({ long: { body }, minutes: {} })).start();
    const { authority, turn } = await inChat();
    expect((await explainOf(authority)).warnings).toEqual([]);
    await edit(authority, { long: 'always' });
    const { always, warnings } = await explainOf(authority);
    expect(always).toMatchObject({ skills: ['long'], budget: 4_000 });
    expect(always!.tokens).toBeGreaterThan(4_000);
    expect(warnings).toEqual([expect.stringContaining('(long)')]);
    expect((await world.prepare(turn)).warnings).toEqual(warnings);
  });
});

describe('a preview', () => {
  it('has the very lines of the turn, and needs no turn', async () => {
    await (await world.house(shelf)).start();
    const { authority, turn } = await inChat();
    await edit(authority, { memo: 'always' });
    const preview = await world.wires.orchestrator.call(previewEntries, { ticket: authority, modelUsesTools: true });
    const prepared = await world.prepare(turn);
    expect(preview.entries).toEqual(prepared.entries);
    expect(preview).toMatchObject({ toolsAllowed: true, always: { skills: ['memo'] } });
  });
});
