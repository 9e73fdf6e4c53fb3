import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/catalog';
import { CatalogWorld, facts, slugs } from './catalog-world.fixture.js';
import { skillMd } from './skills.fixture.js';

let world: CatalogWorld;

beforeAll(async () => {
  world = await CatalogWorld.open();
}, 30_000);
afterEach(() => world.closeHouses());
afterAll(() => world?.nats.close());

describe('a turn', () => {
  it('gets the lines of what may be loaded, in one order, and the reasons for the rest; hidden ones are not named', async () => {
    await (
      await world.house({
        zebra: {},
        alpha: { description: 'For alphas.' },
        slack: { integrations: 'slack' },
        secret: { hidden: 'true' },
        off: { default: 'never' },
      })
    ).start();
    const answer = await world.prepare(await world.ticketOf(facts()));
    expect(answer.entries).toEqual([
      { slug: 'alpha', description: 'For alphas.', group: 'instructions alone' },
      { slug: 'zebra', description: 'Does what zebra does.', group: 'instructions alone' },
    ]);
    expect(answer.withheld).toMatchObject([
      { slug: 'off', state: 'never', layer: 'default' },
      { slug: 'slack', unmet: [{ kind: 'integration', need: 'slack' }] },
    ]);
    expect(answer.toolsAllowed).toBe(true);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('gets the instructions of skills that are always there, also of hidden ones that the operator locks', async () => {
    await (
      await world.house({ style: { default: 'always', body: 'Be brief.' }, secret: { hidden: 'true', body: 'House rule.' }, wish: {} })
    ).start();
    const answer = await world.prepare(
      await world.ticketOf(facts({ locks: { operator: { secret: 'always' }, admin: {} } }), { wish: 'always' }),
    );
    expect(answer.always.map(({ slug, instructions }) => [slug, instructions])).toEqual([
      ['secret', 'House rule.'],
      ['style', 'Be brief.'],
      ['wish', expect.any(String)],
    ]);
    expect(answer.entries).toEqual([]);
  });

  it('of a free account is plain chat', async () => {
    await (await world.house({ memo: {}, style: { default: 'always' } })).start();
    const answer = await world.prepare(await world.ticketOf(facts({ tier: 'free', capabilities: [] })));
    expect(answer).toMatchObject({ toolsAllowed: false, entries: [], always: [] });
  });

  it('says never as loudly as load does: the state of one chat turn beats the account', async () => {
    await (await world.house({ memo: {} })).start();
    const entitlements = facts({ skills: { memo: 'always' } });
    const never = await world.prepare(await world.ticketOf(entitlements, { memo: 'never' }));
    expect([never.entries, never.always]).toEqual([[], []]);
    expect(never.withheld).toMatchObject([{ slug: 'memo', state: 'never', layer: 'turn' }]);
    expect(slugs((await world.prepare(await world.ticketOf(entitlements))).always)).toEqual(['memo']);
  });
});

describe('a pinned skill', () => {
  it('keeps its text when a newer version is offered, on every replica', async () => {
    const house = await world.house({ memo: { body: 'Old text.' } });
    await house.start();
    const entitlements = facts();
    const { version, digest } = await world.load(await world.ticketOf(entitlements), 'memo');
    await house.directory.write('memo/SKILL.md', skillMd('memo', { version: '1.1.0', body: 'New text.' }));
    await house.start(); // a second replica brings the new version; the first one notices within a second
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    for (let asked = 0; asked < 6; asked++) {
      const { loaded } = await world.prepare(await world.ticketOf(entitlements), { pinned: [{ slug: 'memo', version, digest }] });
      expect(loaded).toMatchObject([{ version: '1.0.0', digest, instructions: 'Old text.' }]);
      expect(await world.load(await world.ticketOf(entitlements), 'memo')).toMatchObject({ version: '1.1.0', instructions: 'New text.' });
    }
  });

  it('is withheld with the reason when it may no longer be used', async () => {
    const house = await world.house({ memo: {}, slack: { integrations: 'slack' }, gone: {} });
    await house.start();
    const before = facts({ integrations: ['slack'] });
    const pins = await Promise.all(['memo', 'slack', 'gone'].map(async (slug) => world.load(await world.ticketOf(before), slug)));
    const pinned = pins.map(({ slug, version, digest }) => ({ slug, version, digest }));
    expect(slugs((await world.prepare(await world.ticketOf(before), { pinned })).loaded)).toEqual(['memo', 'slack', 'gone']);
    await house.directory.remove('gone');
    await house.restart();
    const after = facts({ locks: { operator: {}, admin: { memo: 'never' } } });
    const { loaded, withheld } = await world.prepare(await world.ticketOf(after), { pinned });
    expect(loaded).toEqual([]);
    const reasons = Object.fromEntries(withheld.map(({ slug, layer, unmet }) => [slug, unmet[0]?.kind ?? layer]));
    expect(reasons).toEqual({ memo: 'admin-lock', slack: 'integration', gone: 'withdrawn' });
    await expect(world.load(await world.ticketOf(after), 'gone')).rejects.toMatchObject({
      slug: 'skill-invalid',
      message: expect.stringContaining('removed'),
    });
  });

  it('that never was one is withheld and opens nothing', async () => {
    await (await world.house({ memo: {} })).start();
    const { loaded, withheld } = await world.prepare(await world.ticketOf(facts()), {
      pinned: [{ slug: 'memo', version: '9.9.9', digest: 'f'.repeat(64) }],
    });
    expect(loaded).toEqual([]);
    expect(withheld).toMatchObject([{ slug: 'memo', usable: false }]);
  });
});

describe('what people are told', () => {
  it('explains every visible skill by state, layer and what is missing', async () => {
    await (await world.house({ memo: { title: 'Memo writer' }, slack: { integrations: 'slack' }, secret: { hidden: 'true' } })).start();
    const ticket = await world.ticketOf(facts({ skills: { memo: 'never' } }));
    const { skills } = await world.wires.gateway.call(calls.explainSkills, { ticket });
    expect(skills).toMatchObject([
      { slug: 'memo', title: 'Memo writer', version: '1.0.0', state: 'never', layer: 'account', usable: false },
      { slug: 'slack', usable: false, unmet: [{ need: 'slack' }] },
    ]);
    expect((await world.wires.gateway.call(calls.explainSkills, { ticket, skill: 'memo' })).skills).toHaveLength(1);
    await expect(world.wires.gateway.call(calls.explainSkills, { ticket, skill: 'secret' })).rejects.toMatchObject({
      slug: 'unknown-skill',
    });
  });

  it('measures what all instructions would cost in every prompt', async () => {
    await (
      await world.house({
        one: { body: 'word '.repeat(500) },
        two: { body: 'word '.repeat(300) },
        secret: { hidden: 'true', body: 'word '.repeat(900) },
      })
    ).start();
    const { bodiesTokens, skills } = await world.wires.orchestrator.call(calls.measureMonolith, {});
    expect(skills).toBe(2);
    expect(bodiesTokens).toBeGreaterThan(700);
    expect(bodiesTokens).toBeLessThan(1_000);
    expect((await world.listed()).find(({ slug }) => slug === 'secret')).toMatchObject({ hidden: true, bodyTokens: expect.any(Number) });
  });
});
