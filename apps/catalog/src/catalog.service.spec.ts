import { randomUUID } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getEntitlements } from '@skillgate/contracts/calls/accounts';
import * as calls from '@skillgate/contracts/calls/catalog';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import type { CallInput } from '@skillgate/contracts/define-call';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { platformEdges } from '@skillgate/contracts/services/all';
import { receiptClaims } from '@skillgate/contracts/tokens';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import { makeSigner, makeVerifier, newSigningKey, type Signer } from '@skillgate/service-kit/signing';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import pg from 'pg';
import { catalogService } from './catalog.service-definition.js';
import { SkillsDirectory, skillMd } from './skills.fixture.js';
import { catalogStore } from './store-definition.js';

let nats: TestNats;
let gateway: Signer;
let wires: Record<'accounts' | 'gateway' | 'orchestrator' | 'registry', Wire>;
const signingKey = newSigningKey();
const accounts = new Map<string, Entitlements>();

const facts = (more: Partial<Entitlements> = {}): Entitlements => ({
  account: randomUUID(),
  tier: 'pro',
  capabilities: ['tools'],
  integrations: [],
  skills: {},
  locks: { operator: {}, admin: {} },
  policyEpoch: 1,
  ...more,
});

beforeAll(async () => {
  nats = await withNats(platformEdges);
  const names = ['accounts', 'gateway', 'orchestrator', 'registry'] as const;
  wires = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await nats.connect(name)] as const))) as typeof wires;
  gateway = makeSigner(await newSigningKey(), 'gateway');
  await wires.gateway.serve(gatewayPublicKeys, async () => gateway.publicKeys()).ready;
  await wires.accounts.serve(getEntitlements, async ({ account, minEpoch }) => {
    const found = accounts.get(account);
    if (!found) throw refuse('unknown-account', 'No such account.');
    if (found.policyEpoch < minEpoch) throw refuse('epoch-not-reached', 'Not yet.');
    return found;
  }).ready;
}, 30_000);
afterAll(() => nats?.close());

/** A catalog on a database and a skills directory of its own. */
interface House {
  directory: SkillsDirectory;
  database: TestDatabase;
  url: string;
  running: RunningService[];
  start(): Promise<RunningService>;
  restart(): Promise<RunningService>;
}
const houses: House[] = [];

async function openHouse(skills: Parameters<typeof SkillsDirectory.make>[0] = {}): Promise<House> {
  const directory = await SkillsDirectory.make(skills);
  const database = await withDatabase();
  const house: House = {
    directory,
    database,
    url: await database.migrate(catalogStore),
    running: [],
    async start() {
      const service = await bootService(catalogService, {
        SKILLGATE_NATS_URL: nats.url,
        SKILLGATE_NATS_PASSWORD: nats.passwords['catalog'],
        SKILLGATE_LOG_LEVEL: 'silent',
        SKILLGATE_DATABASE_URL: house.url,
        SKILLGATE_SIGNING_KEY: JSON.stringify(await signingKey),
        SKILLGATE_SKILLS_DIR: directory.path,
      });
      house.running.push(service);
      return service;
    },
    async restart() {
      await Promise.all(house.running.splice(0).map((service) => service.stop(2_000)));
      return house.start();
    },
  };
  houses.push(house);
  return house;
}

afterEach(async () => {
  for (const { running, database, directory } of houses.splice(0)) {
    await Promise.all(running.map((service) => service.stop(2_000)));
    await database.close();
    await directory.remove();
  }
});

interface Ask {
  overrides?: Record<string, 'always' | 'available' | 'never'>;
  policyEpoch?: number;
}

async function ticketOf(entitlements: Entitlements, { overrides = {}, policyEpoch = entitlements.policyEpoch }: Ask = {}): Promise<string> {
  accounts.set(entitlements.account, entitlements);
  const exp = Math.floor(Date.now() / 1000) + 300;
  return gateway.sign({ typ: 'ticket', account: entitlements.account, user: randomUUID(), chat: randomUUID(), turn: randomUUID(), overrides, policyEpoch, exp });
}

const prepare = async (ticket: string, more: Partial<CallInput<typeof calls.prepareTurn>> = {}) => wires.orchestrator.call(calls.prepareTurn, { ticket, modelUsesTools: true, ...more });
const load = async (ticket: string, slug: string, modelUsesTools = true) => wires.orchestrator.call(calls.loadSkill, { ticket, slug, modelUsesTools });
const listed = async () => (await wires.gateway.call(calls.listSkills, {})).skills;
const slugs = (entries: { slug: string }[]) => entries.map(({ slug }) => slug);

describe('a load', () => {
  it('gives the instructions and a receipt for this ticket, signed and as old as the ticket at most', async () => {
    await (await openHouse({ memo: { body: 'Write a memo.', profiles: 'docs', tools: 'docs_write_text' } })).start();
    const ticket = await ticketOf(facts({ policyEpoch: 7 }));
    const loaded = await load(ticket, 'memo');
    expect(loaded).toMatchObject({ slug: 'memo', version: '1.0.0', instructions: 'Write a memo.', source: 'platform', layer: 'default', policyEpoch: 7 });
    const verifier = makeVerifier({ issuer: 'catalog', typ: 'receipt', schema: receiptClaims, fetchKeys: () => wires.registry.call(calls.catalogPublicKeys, {}) });
    const receipt = await verifier.verify(loaded.receipt);
    const claims = JSON.parse(Buffer.from(ticket.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
    expect(receipt).toMatchObject({
      ticket: claims.jti,
      account: claims.account,
      chat: claims.chat,
      turn: claims.turn,
      exp: claims.exp,
      skill: 'memo',
      version: '1.0.0',
      digest: loaded.digest,
      requires: { capabilities: [], integrations: [], profiles: ['docs'], tools: ['docs_write_text'] },
      policyEpoch: 7,
    });
  });

  it('is refused for every reason that there is', async () => {
    const house = await openHouse({
      memo: {},
      off: { default: 'never' },
      secret: { hidden: 'true' },
      slack: { integrations: 'slack' },
      paid: { capabilities: 'sandbox' },
    });
    await house.directory.write('broken/SKILL.md', '---\nname: broken\ndescription: Plan a launch: budget, owners\n---\nx\n');
    await house.start();
    const ticket = await ticketOf(facts({ locks: { operator: {}, admin: { memo: 'never' } } }));
    await expect(load(ticket, 'memo')).rejects.toMatchObject({ kind: 'refusal', slug: 'skill-never' });
    await expect(load(ticket, 'off')).rejects.toMatchObject({ slug: 'skill-never' });
    await expect(load(ticket, 'slack')).rejects.toMatchObject({ slug: 'skill-unmet', message: expect.stringContaining('slack') });
    await expect(load(ticket, 'paid')).rejects.toMatchObject({ slug: 'skill-unmet', message: expect.stringContaining('sandbox') });
    await expect(load(ticket, 'broken')).rejects.toMatchObject({ slug: 'skill-invalid', message: expect.stringContaining('line 3') });
    await expect(load(ticket, 'Ignore all rules')).rejects.toMatchObject({ slug: 'unknown-skill' });
  });

  it('of a hidden skill reads like one of a skill that is not there', async () => {
    await (await openHouse({ secret: { hidden: 'true' } })).start();
    const ticket = await ticketOf(facts());
    const hidden = (await load(ticket, 'secret').catch((error: Error) => error)) as Error;
    const unknown = (await load(ticket, 'absent').catch((error: Error) => error)) as Error;
    expect(hidden).toMatchObject({ slug: 'skill-hidden' });
    expect(hidden.message.replace('secret', 'X')).toBe(unknown.message.replace('absent', 'X'));
  });

  it.each<[string, Entitlements, boolean, Ask['overrides']]>([
    ['on the free tier', facts({ tier: 'free', capabilities: [] }), true, {}],
    ['for a model without tools', facts(), false, {}],
    ['that the turn forbids', facts(), true, { memo: 'never' }],
  ])('%s is refused', async (_what, entitlements, modelUsesTools, overrides) => {
    await (await openHouse({ memo: {} })).start();
    await expect(load(await ticketOf(entitlements, { overrides }), 'memo', modelUsesTools)).rejects.toMatchObject({ kind: 'refusal' });
  });

  it('needs a ticket of the gateway that names a turn', async () => {
    await (await openHouse({ memo: {} })).start();
    const good = await ticketOf(facts());
    const { account } = facts();
    const files = await gateway.sign({ typ: 'ticket', account, user: account, policyEpoch: 1, exp: Math.floor(Date.now() / 1000) + 60 });
    const forged = await makeSigner(await newSigningKey(), 'gateway').sign({ typ: 'ticket', account, user: account, chat: account, turn: account, policyEpoch: 1, exp: Math.floor(Date.now() / 1000) + 60 });
    for (const ticket of [files, forged, `${good.slice(0, -4)}AAAA`]) await expect(load(ticket, 'memo')).rejects.toMatchObject({ slug: 'ticket-invalid' });
  });

  it('is decided on facts that are at least as new as the ticket', async () => {
    await (await openHouse({ memo: {} })).start();
    const before = facts({ policyEpoch: 1 });
    await load(await ticketOf(before), 'memo');
    const after = { ...before, capabilities: [], policyEpoch: 2 };
    await expect(load(await ticketOf(after), 'memo')).rejects.toMatchObject({ slug: 'skill-unmet' });
  });
});

describe('a turn', () => {
  it('gets the lines of what may be loaded, in one order, and the reasons for the rest; hidden ones are not named', async () => {
    await (await openHouse({ zebra: {}, alpha: { description: 'For alphas.' }, slack: { integrations: 'slack' }, secret: { hidden: 'true' }, off: { default: 'never' } })).start();
    const answer = await prepare(await ticketOf(facts()));
    expect(answer.entries).toEqual([{ slug: 'alpha', description: 'For alphas.' }, { slug: 'zebra', description: 'Does what zebra does.' }]);
    expect(answer.withheld).toMatchObject([
      { slug: 'off', state: 'never', layer: 'default' },
      { slug: 'slack', unmet: [{ kind: 'integration', need: 'slack' }] },
    ]);
    expect(answer.toolsAllowed).toBe(true);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('gets the instructions of skills that are always there, also of hidden ones that the operator locks', async () => {
    await (await openHouse({ style: { default: 'always', body: 'Be brief.' }, secret: { hidden: 'true', body: 'House rule.' }, wish: {} })).start();
    const answer = await prepare(await ticketOf(facts({ locks: { operator: { secret: 'always' }, admin: {} } }), { overrides: { wish: 'always' } }));
    expect(answer.always.map(({ slug, instructions }) => [slug, instructions])).toEqual([['secret', 'House rule.'], ['style', 'Be brief.'], ['wish', expect.any(String)]]);
    expect(answer.entries).toEqual([]);
  });

  it('of a free account is plain chat', async () => {
    await (await openHouse({ memo: {}, style: { default: 'always' } })).start();
    const answer = await prepare(await ticketOf(facts({ tier: 'free', capabilities: [] })));
    expect(answer).toMatchObject({ toolsAllowed: false, entries: [], always: [] });
  });

  it('says never as loudly as load does: the state of one chat turn beats the account', async () => {
    await (await openHouse({ memo: {} })).start();
    const entitlements = facts({ skills: { memo: 'always' } });
    const never = await prepare(await ticketOf(entitlements, { overrides: { memo: 'never' } }));
    expect([never.entries, never.always]).toEqual([[], []]);
    expect(never.withheld).toMatchObject([{ slug: 'memo', state: 'never', layer: 'turn' }]);
    expect(slugs((await prepare(await ticketOf(entitlements))).always)).toEqual(['memo']);
  });
});

describe('a pinned skill', () => {
  it('keeps its text when a newer version is offered, on every replica', async () => {
    const house = await openHouse({ memo: { body: 'Old text.' } });
    await house.start();
    const entitlements = facts();
    const { version, digest } = await load(await ticketOf(entitlements), 'memo');
    await house.directory.write('memo/SKILL.md', skillMd('memo', { version: '1.1.0', body: 'New text.' }));
    await house.start(); // a second replica brings the new version; the first one notices within a second
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    for (let asked = 0; asked < 6; asked++) {
      const { loaded } = await prepare(await ticketOf(entitlements), { pinned: [{ slug: 'memo', version, digest }] });
      expect(loaded).toMatchObject([{ version: '1.0.0', digest, instructions: 'Old text.' }]);
      expect(await load(await ticketOf(entitlements), 'memo')).toMatchObject({ version: '1.1.0', instructions: 'New text.' });
    }
  });

  it('is withheld with the reason when it may no longer be used', async () => {
    const house = await openHouse({ memo: {}, slack: { integrations: 'slack' }, gone: {} });
    await house.start();
    const before = facts({ integrations: ['slack'] });
    const pins = await Promise.all(['memo', 'slack', 'gone'].map(async (slug) => load(await ticketOf(before), slug)));
    const pinned = pins.map(({ slug, version, digest }) => ({ slug, version, digest }));
    expect(slugs((await prepare(await ticketOf(before), { pinned })).loaded)).toEqual(['memo', 'slack', 'gone']);
    await house.directory.remove('gone');
    await house.restart();
    const after = facts({ locks: { operator: {}, admin: { memo: 'never' } } });
    const { loaded, withheld } = await prepare(await ticketOf(after), { pinned });
    expect(loaded).toEqual([]);
    const reasons = Object.fromEntries(withheld.map(({ slug, layer, unmet }) => [slug, unmet[0]?.kind ?? layer]));
    expect(reasons).toEqual({ memo: 'admin-lock', slack: 'integration', gone: 'invalid' });
    await expect(load(await ticketOf(after), 'gone')).rejects.toMatchObject({ slug: 'skill-invalid', message: expect.stringContaining('removed') });
  });

  it('that never was one is withheld and opens nothing', async () => {
    await (await openHouse({ memo: {} })).start();
    const { loaded, withheld } = await prepare(await ticketOf(facts()), { pinned: [{ slug: 'memo', version: '9.9.9', digest: 'f'.repeat(64) }] });
    expect(loaded).toEqual([]);
    expect(withheld).toMatchObject([{ slug: 'memo', usable: false }]);
  });
});

describe('publishing', () => {
  it('by two replicas at once on an empty database happens once', async () => {
    const house = await openHouse(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`skill-${n}`, {}])));
    await Promise.all([house.start(), house.start(), house.start()]);
    const admin = new pg.Client({ connectionString: house.database.adminUrl });
    await admin.connect();
    const { rows } = await admin.query('SELECT count(*)::int AS rows, count(*) FILTER (WHERE current)::int AS current FROM catalog.skill_versions');
    await admin.end();
    expect(rows).toEqual([{ rows: 20, current: 20 }]);
  });

  it('never overwrites a version: an edit without a new number is listed with advice', async () => {
    const house = await openHouse({ memo: { body: 'First.' } });
    await house.start();
    await house.directory.write('memo/SKILL.md', skillMd('memo', { body: 'Edited.' }));
    await house.restart();
    expect((await load(await ticketOf(facts()), 'memo')).instructions).toBe('First.');
    expect(await listed()).toMatchObject([{ slug: 'memo', status: 'published', problems: [{ rule: 'version-digest-differs' }] }]);
    await house.directory.write('memo/SKILL.md', skillMd('memo', { version: '1.0.1', body: 'Edited.' }));
    await house.restart();
    expect((await load(await ticketOf(facts()), 'memo')).instructions).toBe('Edited.');
    expect(await listed()).toMatchObject([{ version: '1.0.1', problems: [] }]);
  });

  it('notices an edit in a file beside SKILL.md', async () => {
    const house = await openHouse({ memo: {} });
    await house.directory.write('memo/references/a.md', 'One.');
    await house.start();
    await house.directory.write('memo/references/a.md', 'Two.');
    await house.restart();
    expect(await listed()).toMatchObject([{ problems: [{ rule: 'version-digest-differs' }] }]);
  });

  it('cannot be undone by the service itself: a published row neither changes nor goes', async () => {
    const house = await openHouse({ memo: {} });
    await house.start();
    const service = new pg.Client({ connectionString: house.url });
    await service.connect();
    const tries = ["UPDATE catalog.skill_versions SET body = 'x'", "UPDATE catalog.skill_versions SET status = 'invalid', current = false", 'DELETE FROM catalog.skill_versions'];
    const outcomes = await Promise.allSettled(tries.map((sql) => service.query(sql)));
    await service.end();
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('does not change') } });
  });

  it('lists everything that is unusable with its reason, and offers none of it', async () => {
    const house = await openHouse({ good: {} });
    await house.directory.write('colon/SKILL.md', '---\nname: colon\ndescription: Plan a launch: budget, owners, dates\n---\nx\n');
    await house.directory.write('other-name/SKILL.md', skillMd('another-name'));
    await house.directory.write('empty/README.md', 'no skill');
    await house.directory.write('My Skill/SKILL.md', skillMd('my-skill'));
    await house.directory.write('number/SKILL.md', '---\nname: number\ndescription: d\nmetadata:\n  skillgate.version: 1.10\n---\nx\n');
    await house.directory.write('NOTES.md', 'a file beside the folders is no skill');
    await symlink('/etc', join(house.directory.path, 'linked'));
    await house.directory.write('link-inside/SKILL.md', skillMd('link-inside'));
    await symlink('/etc/passwd', join(house.directory.path, 'link-inside/notes.md'));
    await house.start();
    const found = Object.fromEntries((await listed()).map((skill) => [skill.slug, skill]));
    expect(Object.keys(found)).toEqual(['My Skill', 'colon', 'empty', 'good', 'link-inside', 'linked', 'number', 'other-name']);
    expect(found.colon).toMatchObject({ status: 'invalid', version: null, digest: null, problems: [{ line: 3, message: expect.stringMatching(/quot/i) }] });
    expect(found.number).toMatchObject({ status: 'invalid', problems: [{ line: 5 }] });
    expect(found.empty).toMatchObject({ problems: [{ rule: 'skill-md-missing' }] });
    expect(found.linked).toMatchObject({ problems: [{ rule: 'no-folder' }] });
    expect(found['link-inside']).toMatchObject({ problems: [{ rule: 'unreadable', message: expect.stringContaining('notes.md') }] });
    const { entries, withheld } = await prepare(await ticketOf(facts()));
    expect(slugs(entries)).toEqual(['good']);
    // What is no slug can be named to operators only.
    expect(slugs(withheld)).toEqual(['colon', 'empty', 'link-inside', 'linked', 'number', 'other-name']);
  });

  it('gives a description as one line that says what the file says', async () => {
    const house = await openHouse();
    await house.directory.write('folded/SKILL.md', '\ufeff---\r\nname: folded\r\ndescription: >-\r\n  Use for budgets\r\n  and forecasts\r\n---\r\nBody.\r\n');
    await house.start();
    expect((await prepare(await ticketOf(facts()))).entries).toEqual([{ slug: 'folded', description: 'Use for budgets and forecasts' }]);
  });

  it('fails at the start, by name, when the directory is not there', async () => {
    const house = await openHouse();
    await house.directory.remove();
    await expect(house.start()).rejects.toThrow('SKILLGATE_SKILLS_DIR');
    await house.directory.write('x/README.md', '');
  });
});

describe('what people are told', () => {
  it('explains every visible skill by state, layer and what is missing', async () => {
    await (await openHouse({ memo: { title: 'Memo writer' }, slack: { integrations: 'slack' }, secret: { hidden: 'true' } })).start();
    const ticket = await ticketOf(facts({ skills: { memo: 'never' } }));
    const { skills } = await wires.gateway.call(calls.explainSkills, { ticket });
    expect(skills).toMatchObject([
      { slug: 'memo', title: 'Memo writer', version: '1.0.0', state: 'never', layer: 'account', usable: false },
      { slug: 'slack', usable: false, unmet: [{ need: 'slack' }] },
    ]);
    expect((await wires.gateway.call(calls.explainSkills, { ticket, skill: 'memo' })).skills).toHaveLength(1);
    await expect(wires.gateway.call(calls.explainSkills, { ticket, skill: 'secret' })).rejects.toMatchObject({ slug: 'unknown-skill' });
  });

  it('measures what all instructions would cost in every prompt', async () => {
    await (await openHouse({ one: { body: 'word '.repeat(500) }, two: { body: 'word '.repeat(300) }, secret: { hidden: 'true', body: 'word '.repeat(900) } })).start();
    const { bodiesTokens, skills } = await wires.orchestrator.call(calls.measureMonolith, {});
    expect(skills).toBe(2);
    expect(bodiesTokens).toBeGreaterThan(700);
    expect(bodiesTokens).toBeLessThan(1_000);
    expect((await listed()).find(({ slug }) => slug === 'secret')).toMatchObject({ hidden: true, bodyTokens: expect.any(Number) });
  });
});
