import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { registryPublicKeys, resolveTools } from '@skillgate/contracts/calls/registry';
import { grantClaims, type ReceiptClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import { makeVerifier } from '@skillgate/service-kit/signing';
import { announcedTool, entitled } from './spec-support/facts.js';
import { newTurn, now, startRegistry, type LiveRegistry } from './spec-support/live-registry.js';

const readText = announcedTool();
const writeText = announcedTool({ name: 'docs_write_text', effect: 'write', description: 'Writes a text file.' });

let registry: LiveRegistry;

beforeAll(async () => {
  registry = await startRegistry();
  await registry.serve(readText, writeText);
}, 60_000);

afterAll(() => registry?.stop());

beforeEach(() => {
  registry.account.facts = entitled();
  registry.account.asked = [];
});

const ask = (ticket: string, ...receipts: string[]) => registry.orchestrator.call(resolveTools, { ticket, receipts });

describe('resolve-tools', () => {
  it('answers tools in activation order with one grant that the executor can check', async () => {
    const turn = newTurn();
    const answer = await registry.resolve(turn);
    expect(answer.tools.map(({ name, executor, effect, skill }) => [name, executor, effect, skill])).toEqual([
      ['docs_read_text', 'docs', 'read', 'briefing-memo@1.0.0'],
      ['docs_write_text', 'docs', 'write', 'briefing-memo@1.0.0'],
    ]);
    expect(answer.tools[0]!.inputSchema).toEqual(readText.inputSchema);
    expect(answer.profiles).toEqual([{ name: 'docs', skill: 'briefing-memo@1.0.0' }]);

    const [held] = answer.grants;
    const fetchKeys = () => registry.docs.call(registryPublicKeys, {});
    const grant = await makeVerifier({ issuer: 'registry', typ: 'grant', schema: grantClaims, fetchKeys }).verify(held!.grant);
    const { account, user, chat, turn: id } = turn.ticket;
    expect(grant).toMatchObject({ aud: 'docs', account, user, chat, turn: id, jti: held!.id });
    expect(Object.keys(grant.tools)).toEqual(['docs_read_text', 'docs_write_text']);
    expect(grant.tools.docs_read_text).toBe(`briefing-memo@1.0.0#${'d'.repeat(64)}`);
    expect(grant.exp - now()).toBeLessThanOrEqual(60);
    expect(held!.expiresAt).toBe(grant.exp * 1000);
  });

  it('opens nothing without a receipt', async () => {
    const answer = await ask(await registry.tickets.sign(newTurn().ticket));
    expect(answer).toMatchObject({ tools: [], grants: [], profiles: [], withheld: [] });
  });

  describe('for the tools that need no skill', () => {
    const fetchImage = announcedTool({ name: 'fetch_image', profile: 'base', description: 'Fetches an image.' });
    const askBase = async (turn = newTurn(), ...receipts: string[]) =>
      registry.orchestrator.call(resolveTools, { ticket: await registry.tickets.sign(turn.ticket), receipts, base: true });

    it('gives a grant for them by the ticket alone, and none to who does not ask', async () => {
      await registry.serve(readText, writeText, fetchImage);
      const turn = newTurn();
      const answer = await askBase(turn);
      expect(answer.tools).toMatchObject([{ name: 'fetch_image', profile: 'base', skill: '(base)@0', executor: 'docs' }]);
      expect(answer.grants).toHaveLength(1);
      const claims = JSON.parse(Buffer.from(answer.grants[0]!.grant.split('.')[1]!, 'base64url').toString()) as { tools: object; turn: string };
      expect([Object.keys(claims.tools), claims.turn]).toEqual([['fetch_image'], turn.ticket.turn]);
      expect((await registry.resolve(newTurn())).tools.map(({ name }) => name)).not.toContain('fetch_image');
      await registry.serve(readText, writeText);
    });

    it('says why it gives none: nobody serves it, or the plan has no tools', async () => {
      registry.account.facts = entitled({ policyEpoch: 5 });
      expect(await askBase(newTurn({ ticket: { policyEpoch: 5 } }))).toMatchObject({ tools: [], grants: [], withheld: [{ name: expect.stringContaining('base') }] });
      registry.account.facts = entitled({ policyEpoch: 6, capabilities: [] });
      await expect(askBase(newTurn({ ticket: { policyEpoch: 6 } }))).rejects.toMatchObject({ slug: 'tools-not-allowed' });
    });
  });

  it('withholds what nobody serves and opens the rest', async () => {
    const answer = await registry.resolve(newTurn({ requires: { profiles: ['slack', 'docs'] } }));
    expect(answer.tools).toHaveLength(2);
    expect(answer.withheld.map(({ name, slug }) => `${name}: ${slug}`)).toEqual([
      'slack: integration-missing',
      'docs/docs_generate_docx: unserved',
      'docs/docs_read_docx: unserved',
    ]);
  });

  it('opens nothing of a skill that a lock switched off after the load', async () => {
    registry.account.facts = entitled({ policyEpoch: 3, locks: { operator: { 'briefing-memo': 'never' }, admin: {} } });
    const answer = await registry.resolve(newTurn({ ticket: { policyEpoch: 3 } }));
    expect(answer).toMatchObject({ tools: [], grants: [], withheld: [{ name: 'docs', slug: 'skill-never' }] });
  });
});

describe('a grant', () => {
  const claimsOf = (grant: string) => JSON.parse(Buffer.from(grant.split('.')[1]!, 'base64url').toString()) as { integrations?: string[] };

  it('names the outside system that a tool of it works with, for which alone a credential is leased', async () => {
    await registry.serve(readText, writeText, announcedTool({ name: 'notion_search', profile: 'notion' }));
    registry.account.facts = entitled({ integrations: ['notion', 'slack'] });
    const both = await registry.resolve(newTurn({ requires: { profiles: ['docs', 'notion'] } }));
    expect(both.grants.map(({ grant }) => claimsOf(grant).integrations)).toEqual([['notion']]);
    const plain = await registry.resolve(newTurn());
    expect(plain.grants.map(({ grant }) => claimsOf(grant).integrations)).toEqual([undefined]);
  });
});

describe('a demand for newer facts', () => {
  it('than the registry has makes it read through, so that no grant is of an older epoch', async () => {
    const turn = newTurn();
    expect((await registry.resolve(turn)).policyEpoch).toBe(1);
    registry.account.facts = entitled({ policyEpoch: 4 });
    const { policyEpoch, grants } = await registry.resolve(turn, 4);
    expect(policyEpoch).toBe(4);
    const claims = JSON.parse(Buffer.from(grants[0]!.grant.split('.')[1]!, 'base64url').toString()) as object;
    expect(claims).toMatchObject({ policyEpoch: 4 });
  });

  it('never lowers what the ticket demands', async () => {
    registry.account.facts = entitled({ policyEpoch: 3 });
    expect((await registry.resolve(newTurn({ ticket: { policyEpoch: 3 } }), 1)).policyEpoch).toBe(3);
    expect(registry.account.asked).toEqual([3]);
  });

  it('that accounts does not meet either is unavailable, and not answered with old facts', async () => {
    await expect(registry.resolve(newTurn(), 9)).rejects.toMatchObject({ kind: 'unavailable', slug: 'entitlements-behind' });
  });

  it('is refused with the epoch of the decision when the account has no tools any more', async () => {
    registry.account.facts = entitled({ policyEpoch: 5, tier: 'free', capabilities: [] });
    await expect(registry.resolve(newTurn(), 5)).rejects.toMatchObject({ slug: 'tools-not-allowed', details: { policyEpoch: 5 } });
  });
});

describe('a receipt', () => {
  it.each<[string, Partial<ReceiptClaims>]>([
    ['turn', { turn: randomUUID() }],
    ['chat', { chat: randomUUID() }],
    ['account', { account: randomUUID() }],
    ['ticket', { ticket: randomUUID() }],
  ])('of another %s opens nothing', async (what, receipt) => {
    const asked = registry.resolve(newTurn({ receipt }));
    await expect(asked).rejects.toMatchObject({ slug: 'foreign-receipt', message: expect.stringContaining(`another ${what}`) });
  });

  it('that the gateway signed, or that is past its time, is refused', async () => {
    const { ticket, receipt } = newTurn();
    const forged = ask(await registry.tickets.sign(ticket), await registry.tickets.sign(receipt));
    await expect(forged).rejects.toMatchObject({ slug: 'receipt-invalid' });
    const late = registry.resolve(newTurn({ receipt: { iat: now() - 100, exp: now() - 1 } }));
    await expect(late).rejects.toMatchObject({ slug: 'receipt-expired' });
  });
});

describe('a ticket', () => {
  it('that was altered is refused', async () => {
    const { ticket, receipt } = newTurn();
    const [header, payload, signature] = (await registry.tickets.sign(ticket)).split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TicketClaims;
    const altered = Buffer.from(JSON.stringify({ ...claims, account: randomUUID() })).toString('base64url');
    const asked = ask([header, altered, signature].join('.'), await registry.receipts.sign(receipt));
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug: 'ticket-invalid' });
  });

  it('that the catalog signed, that names no turn, or that is past its time, is refused', async () => {
    const byCatalog = ask(await registry.receipts.sign(newTurn().ticket));
    await expect(byCatalog).rejects.toMatchObject({ slug: 'ticket-invalid' });
    const turnless = registry.resolve(newTurn({ ticket: { turn: undefined } }));
    await expect(turnless).rejects.toMatchObject({ slug: 'ticket-invalid' });
    const late = registry.resolve(newTurn({ ticket: { iat: now() - 100, exp: now() - 1 } }));
    await expect(late).rejects.toMatchObject({ slug: 'ticket-expired' });
  });

  it('of a free account opens nothing, whatever is shown with it', async () => {
    registry.account.facts = entitled({ tier: 'free', capabilities: [] });
    await expect(registry.resolve(newTurn())).rejects.toMatchObject({ kind: 'refusal', slug: 'tools-not-allowed' });
  });
});

describe('the facts of an account', () => {
  it('are demanded at the newest epoch that ticket and receipts have seen', async () => {
    registry.account.facts = entitled({ policyEpoch: 9 });
    expect(await registry.resolve(newTurn({ ticket: { policyEpoch: 4 }, receipt: { policyEpoch: 7 } }))).toMatchObject({ policyEpoch: 9 });
    expect(registry.account.asked).toEqual([7]);
  });

  it('that are not there yet make a call that may be repeated', async () => {
    const asked = registry.resolve(newTurn({ ticket: { policyEpoch: 2 } }));
    await expect(asked).rejects.toMatchObject({ kind: 'unavailable', slug: 'entitlements-behind' });
  });

  it('are not read again within a second, unless a newer epoch is demanded', async () => {
    const turn = newTurn();
    await registry.resolve(turn);
    await registry.resolve(turn);
    expect(registry.account.asked).toEqual([1]);
    registry.account.facts = entitled({ policyEpoch: 2, capabilities: [] });
    const downgraded = registry.resolve({ ...turn, ticket: { ...turn.ticket, policyEpoch: 2 } });
    await expect(downgraded).rejects.toMatchObject({ slug: 'tools-not-allowed' });
    expect(registry.account.asked).toEqual([1, 2]);
  });

  it('stay apart from those of another account', async () => {
    await registry.resolve(newTurn());
    registry.account.facts = entitled({ capabilities: [] });
    await expect(registry.resolve(newTurn())).rejects.toMatchObject({ slug: 'tools-not-allowed' });
  });
});
