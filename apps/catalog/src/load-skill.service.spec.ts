import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { catalogPublicKeys } from '@skillgate/contracts/calls/catalog';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { receiptClaims } from '@skillgate/contracts/tokens';
import type { SkillStates } from '@skillgate/contracts/words';
import { makeSigner, makeVerifier, newSigningKey } from '@skillgate/service-kit/signing';
import { CatalogWorld, facts } from './catalog-world.fixture.js';

let world: CatalogWorld;

beforeAll(async () => {
  world = await CatalogWorld.open();
}, 30_000);
afterEach(() => world.closeHouses());
afterAll(() => world?.nats.close());

describe('a load', () => {
  it('gives the instructions and a receipt for this ticket, signed and as old as the ticket at most', async () => {
    await (await world.house({ memo: { body: 'Write a memo.', profiles: 'docs', tools: 'docs_write_text' } })).start();
    const ticket = await world.ticketOf(facts({ policyEpoch: 7 }));
    const loaded = await world.load(ticket, 'memo');
    expect(loaded).toMatchObject({
      slug: 'memo',
      version: '1.0.0',
      instructions: 'Write a memo.',
      source: 'platform',
      layer: 'default',
      policyEpoch: 7,
    });
    const verifier = makeVerifier({
      issuer: 'catalog',
      typ: 'receipt',
      schema: receiptClaims,
      fetchKeys: () => world.wires.registry.call(catalogPublicKeys, {}),
    });
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
    const house = await world.house({
      memo: {},
      off: { default: 'never' },
      secret: { hidden: 'true' },
      slack: { integrations: 'slack' },
      paid: { capabilities: 'sandbox' },
    });
    await house.directory.write('broken/SKILL.md', '---\nname: broken\ndescription: Plan a launch: budget, owners\n---\nx\n');
    await house.start();
    const ticket = await world.ticketOf(facts({ locks: { operator: {}, admin: { memo: 'never' } } }));
    await expect(world.load(ticket, 'memo')).rejects.toMatchObject({ kind: 'refusal', slug: 'skill-never' });
    await expect(world.load(ticket, 'off')).rejects.toMatchObject({ slug: 'skill-never' });
    await expect(world.load(ticket, 'slack')).rejects.toMatchObject({ slug: 'skill-unmet', message: expect.stringContaining('slack') });
    await expect(world.load(ticket, 'paid')).rejects.toMatchObject({ slug: 'skill-unmet', message: expect.stringContaining('sandbox') });
    await expect(world.load(ticket, 'broken')).rejects.toMatchObject({ slug: 'skill-invalid', message: expect.stringContaining('line 3') });
    await expect(world.load(ticket, 'Ignore all rules')).rejects.toMatchObject({ slug: 'unknown-skill' });
  });

  it('of a hidden skill reads like one of a skill that is not there', async () => {
    await (await world.house({ secret: { hidden: 'true' } })).start();
    const ticket = await world.ticketOf(facts());
    const hidden = (await world.load(ticket, 'secret').catch((error: Error) => error)) as Error;
    const unknown = (await world.load(ticket, 'absent').catch((error: Error) => error)) as Error;
    expect(hidden).toMatchObject({ slug: 'skill-hidden' });
    expect(hidden.message.replace('secret', 'X')).toBe(unknown.message.replace('absent', 'X'));
  });

  it.each<[string, Entitlements, boolean, SkillStates]>([
    ['on the free tier', facts({ tier: 'free', capabilities: [] }), true, {}],
    ['for a model without tools', facts(), false, {}],
    ['that the turn forbids', facts(), true, { memo: 'never' }],
  ])('%s is refused', async (_what, entitlements, modelUsesTools, overrides) => {
    await (await world.house({ memo: {} })).start();
    await expect(world.load(await world.ticketOf(entitlements, overrides), 'memo', modelUsesTools)).rejects.toMatchObject({
      kind: 'refusal',
    });
  });

  it('needs a ticket of the gateway that names a turn', async () => {
    await (await world.house({ memo: {} })).start();
    const entitlements = facts();
    const good = await world.ticketOf(entitlements);
    const { account } = entitlements;
    const claims = { typ: 'ticket', account, user: account, policyEpoch: 1, exp: Math.floor(Date.now() / 1000) + 60 };
    const files = await world.gateway.sign(claims);
    const forged = await makeSigner(await newSigningKey(), 'gateway').sign({ ...claims, chat: account, turn: account });
    await world.load(good, 'memo');
    for (const ticket of [files, forged, `${good.slice(0, -4)}AAAA`]) {
      await expect(world.load(ticket, 'memo')).rejects.toMatchObject({ slug: 'ticket-invalid' });
    }
  });

  it('is decided on facts that are at least as new as the ticket', async () => {
    await (await world.house({ memo: {} })).start();
    const before = facts({ policyEpoch: 1 });
    await world.load(await world.ticketOf(before), 'memo');
    const after = { ...before, capabilities: [], policyEpoch: 2 };
    await expect(world.load(await world.ticketOf(after), 'memo')).rejects.toMatchObject({ slug: 'skill-unmet' });
  });
});
