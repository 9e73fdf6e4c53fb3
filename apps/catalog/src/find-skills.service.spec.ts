import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { searchSkills } from '@skillgate/contracts/calls/catalog';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { CatalogWorld, facts } from './catalog-world.fixture.js';

let world: CatalogWorld;

beforeAll(async () => {
  world = await CatalogWorld.open();
}, 30_000);
afterEach(() => world.closeHouses());
afterAll(() => world?.nats.close());

const shelf = {
  minutes: { description: 'Turn the transcript of a meeting into minutes. Not for invitations.', body: 'Name every decision.' },
  invitations: { description: 'Invite people to a meeting by mail.', integrations: 'gmail' },
  recipes: { description: 'Write down how a dish is cooked.' },
  secret: { description: 'Minutes of meetings that nobody may see.', hidden: 'true' },
  off: { description: 'Minutes of a meeting in verse.', default: 'never' },
};

async function find(asked: { query?: string; after?: string; limit?: number }, who: Entitlements = facts({})) {
  const ticket = await world.ticketOf(who);
  const { skills, ...rest } = await world.wires.orchestrator.call(searchSkills, { ticket, modelUsesTools: true, ...asked });
  return { slugs: skills.map(({ slug }) => slug), ...rest };
}

describe('finding skills', () => {
  it('gives what may be loaded and meets the words, the best first', async () => {
    await (await world.house(shelf)).start();
    expect(await find({ query: 'minutes of our meeting' })).toEqual({ slugs: ['minutes'], loadable: 2, next: null });
    expect(await find({ query: 'decisions' })).toMatchObject({ slugs: ['minutes'] });
    expect(await find({ query: 'zebra' })).toMatchObject({ slugs: [] });
  });

  it('finds a skill as soon as its account may load it, and no hidden or forbidden one by any words', async () => {
    await (await world.house(shelf)).start();
    const connected = facts({ integrations: ['gmail'] });
    expect(await find({ query: 'meeting' }, connected)).toMatchObject({ slugs: expect.arrayContaining(['minutes', 'invitations']), loadable: 3 });
    expect((await find({ query: 'secret minutes of meetings that nobody may see' }, connected)).slugs).not.toContain('secret');
    expect((await find({ query: 'minutes in verse' }, connected)).slugs).not.toContain('off');
  });

  it('lists page by page without words', async () => {
    await (await world.house(shelf)).start();
    expect(await find({ limit: 1 })).toEqual({ slugs: ['minutes'], loadable: 2, next: 'minutes' });
    expect(await find({ limit: 1, after: 'minutes' })).toEqual({ slugs: ['recipes'], loadable: 2, next: null });
    expect(await find({ query: ' … ' })).toMatchObject({ slugs: ['minutes', 'recipes'] });
  });

  it('finds nothing for an account without tools', async () => {
    await (await world.house(shelf)).start();
    expect(await find({ query: 'meeting' }, facts({ capabilities: [] }))).toEqual({ slugs: [], loadable: 0, next: null });
  });
});
