import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getEntitlements } from '@skillgate/contracts/calls/accounts';
import { catalogPublicKeys } from '@skillgate/contracts/calls/catalog';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { approveManifest, listManifests, listProfiles, registryPublicKeys, resolveTools } from '@skillgate/contracts/calls/registry';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { accountsEdges } from '@skillgate/contracts/services/accounts';
import { catalogEdges } from '@skillgate/contracts/services/catalog';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { gatewayEdges } from '@skillgate/contracts/services/gateway';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { registryEdges } from '@skillgate/contracts/services/registry';
import { grantClaims, type ReceiptClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import type { ToolManifest } from '@skillgate/contracts/tool-manifest';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import { makeSigner, makeVerifier, newSigningKey, type Signer } from '@skillgate/service-kit/signing';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import { announcedTool, entitled, receiptFor, turnTicket } from './registry.fixtures.js';
import { registryService } from './registry.service-definition.js';
import { registryStore } from './store-definition.js';

let nats: TestNats;
let database: TestDatabase;
let service: RunningService;
let gateway: Wire;
let catalog: Wire;
let orchestrator: Wire;
let docs: Wire;
let tickets: Signer;
let receipts: Signer;
/** What the stand-in for accounts answers. */
const account = { facts: entitled(), asked: [] as number[] };

const readText = announcedTool();
const writeText = announcedTool({ name: 'docs_write_text', effect: 'write', description: 'Writes a text file.' });
const sendMail = announcedTool({ name: 'docs_send_mail', effect: 'external', description: 'Sends a mail.' });

beforeAll(async () => {
  const edges = [registryEdges, accountsEdges, catalogEdges, gatewayEdges, orchestratorEdges, executorEdges('docs')];
  [nats, database] = await Promise.all([withNats(edges), withDatabase()]);
  [tickets, receipts] = [makeSigner(await newSigningKey(), 'gateway'), makeSigner(await newSigningKey(), 'catalog')];
  let accounts: Wire;
  [gateway, catalog, accounts, orchestrator, docs] = await Promise.all(
    ['gateway', 'catalog', 'accounts', 'orchestrator', 'docs'].map((name) => nats.connect(name)) as [Promise<Wire>, Promise<Wire>, Promise<Wire>, Promise<Wire>, Promise<Wire>],
  );
  await Promise.all([
    gateway.serve(gatewayPublicKeys, async () => tickets.publicKeys()).ready,
    catalog.serve(catalogPublicKeys, async () => receipts.publicKeys()).ready,
    accounts.serve(getEntitlements, async ({ account: id, minEpoch }): Promise<Entitlements> => {
      account.asked.push(minEpoch);
      if (account.facts.policyEpoch < minEpoch) throw refuse('epoch-not-reached', 'not yet');
      return { ...account.facts, account: id };
    }).ready,
  ]);
  service = await bootService(registryService, {
    SKILLGATE_NATS_URL: nats.url,
    SKILLGATE_NATS_PASSWORD: nats.passwords.registry,
    SKILLGATE_DATABASE_URL: await database.migrate(registryStore),
    SKILLGATE_SIGNING_KEY: JSON.stringify(await newSigningKey()),
    SKILLGATE_LOG_LEVEL: 'error',
  });
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await nats?.close();
  await database?.close();
});

beforeEach(() => {
  account.facts = entitled();
  account.asked = [];
});

const announce = (tools: ToolManifest[], change: { state?: 'serving' | 'leaving'; instance?: string } = {}) =>
  docs.announce({ executor: 'docs', version: '1.0.0', instance: 'docs-1', state: 'serving', tools, ...change });

async function states(): Promise<Record<string, string>> {
  const { executors } = await gateway.call(listManifests, {});
  return Object.fromEntries(executors.flatMap(({ tools }) => tools.map((tool) => [tool.name, tool.state])));
}

/** Announcements are not answered: ask until the registry has heard. */
async function until<T>(read: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (let left = 100; ; left -= 1) {
    const value = await read();
    if (good(value) || left === 0) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const approve = (...tools: ToolManifest[]) =>
  gateway.call(approveManifest, { executor: 'docs', by: 'ops', tools: tools.map(({ name, schemaDigest }) => ({ name, schemaDigest })) });

async function serving(...tools: ToolManifest[]): Promise<void> {
  announce(tools);
  await until(states, (seen) => tools.every((tool) => tool.name in seen));
  await approve(...tools);
}

const now = () => Math.floor(Date.now() / 1000);

/** A turn of an account of its own, with a receipt for it. */
function newTurn(change: { ticket?: Partial<TicketClaims>; receipt?: Partial<ReceiptClaims>; requires?: Partial<ReceiptClaims['requires']> } = {}) {
  const turn = { account: randomUUID(), user: randomUUID(), chat: randomUUID(), turn: randomUUID() };
  const ticket = turnTicket({ ...turn, jti: randomUUID(), iat: now(), exp: now() + 600, ...change.ticket });
  const { user: _, ...place } = turn;
  const receipt = receiptFor(change.requires ?? { profiles: ['docs'] }, {
    ...place,
    ticket: ticket.jti,
    jti: randomUUID(),
    iat: now(),
    exp: now() + 600,
    ...change.receipt,
  });
  return { ticket, receipt };
}

const resolve = async (turn: ReturnType<typeof newTurn>) =>
  orchestrator.call(resolveTools, { ticket: await tickets.sign(turn.ticket), receipts: [await receipts.sign(turn.receipt)] });

describe('a tool of an executor', () => {
  it('changes nothing until an operator approves it', async () => {
    announce([readText, sendMail]);
    await until(states, (seen) => 'docs_send_mail' in seen);
    expect(await states()).toEqual({ docs_read_text: 'proposed', docs_send_mail: 'proposed' });
    const before = await resolve(newTurn());
    expect(before).toMatchObject({ tools: [], grants: [] });
    expect(before.withheld).toContainEqual(expect.objectContaining({ name: 'docs/docs_read_text', slug: 'not-approved' }));

    expect(await approve(readText)).toEqual({ approved: ['docs_read_text'] });
    const after = await resolve(newTurn());
    expect(after.tools.map((tool) => tool.name)).toEqual(['docs_read_text']);
    expect(after.withheld.map((one) => one.name)).not.toContain('docs/docs_send_mail');
  });

  it('joins a profile that does not name it only by approval', async () => {
    await serving(readText, sendMail);
    expect((await resolve(newTurn())).tools.map((tool) => tool.name)).toEqual(['docs_read_text', 'docs_send_mail']);
  });

  it('is held as changed with what differs, and comes back with its approved schema', async () => {
    await serving(readText, writeText);
    const changed = announcedTool({ effect: 'external' });
    announce([changed, writeText]);
    await until(states, (seen) => seen.docs_read_text === 'changed');
    const { executors } = await gateway.call(listManifests, {});
    const shown = executors.flatMap(({ tools }) => tools).find((tool) => tool.name === 'docs_read_text');
    expect(shown).toMatchObject({ state: 'changed', reason: expect.stringContaining('effect read -> external') });
    const held = await resolve(newTurn());
    expect(held.tools.map((tool) => tool.name)).toEqual(['docs_write_text']);
    expect(held.withheld).toContainEqual(expect.objectContaining({ name: 'docs/docs_read_text', slug: 'not-approved' }));

    announce([readText, writeText]);
    await until(states, (seen) => seen.docs_read_text === 'approved');
    expect((await resolve(newTurn())).tools).toHaveLength(2);
  });

  it('whose executor went away is withheld with the reason', async () => {
    await serving(readText);
    announce([readText], { state: 'leaving' });
    const away = await until(() => resolve(newTurn()), (answer) => answer.tools.length === 0);
    expect(away.grants).toEqual([]);
    expect(away.withheld).toContainEqual({ name: 'docs/docs_read_text', slug: 'executor-away', message: expect.stringContaining('"docs"') });
  });

  it('that is bad is quarantined alone and cannot be approved', async () => {
    const ways = ['id', 'email'].map((name) => ({ properties: { [name]: { type: 'string' } }, required: [name] }));
    const bad = announcedTool({ name: 'docs_find', inputSchema: { type: 'object', anyOf: ways } });
    announce([bad, readText]);
    const seen = await until(states, (all) => 'docs_find' in all);
    expect(seen).toMatchObject({ docs_find: 'quarantined', docs_read_text: 'approved' });
    await expect(approve(bad)).rejects.toMatchObject({ slug: 'tool-quarantined', message: expect.stringContaining('anyOf') });
    expect((await resolve(newTurn())).tools.map((tool) => tool.name)).toContain('docs_read_text');
  });

  it('is shown to the model in a form that providers take, and approved in the form that its executor checks', async () => {
    const properties = { rows: { type: 'array' }, id: { type: 'string' } };
    const loose = announcedTool({ name: 'docs_fill', inputSchema: { type: 'object', properties, anyOf: [{ required: ['id'] }, { required: ['rows'] }] } });
    await serving(loose);
    const { tools } = await resolve(newTurn());
    expect(tools.find((tool) => tool.name === 'docs_fill')?.inputSchema).toEqual({
      type: 'object',
      properties: { rows: { type: 'array', items: expect.anything() }, id: { type: 'string' } },
    });
  });

  it('cannot be approved by a digest that is not announced now, and then nothing of the list is', async () => {
    await serving(readText);
    const fresh = announcedTool({ name: 'docs_count', description: 'Counts.' });
    announce([readText, fresh]);
    await until(states, (seen) => 'docs_count' in seen);
    const asked = approve(fresh, { ...readText, schemaDigest: 'a'.repeat(64) });
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug: 'manifest-changed', details: { now: [readText.schemaDigest] } });
    expect(await states()).toMatchObject({ docs_count: 'proposed' });
  });

  it.each([
    ['of an executor that nobody heard', { executor: 'ghost', tools: [] }, 'unknown-executor'],
    ['of a profile that is not there', { executor: 'docs', tools: ['docs_odd'] }, 'unknown-profile'],
  ])('%s cannot be approved', async (_, { executor, tools }, slug) => {
    const odd = announcedTool({ name: 'docs_odd', profile: 'payroll' });
    announce([readText, odd]);
    await until(states, (seen) => 'docs_odd' in seen);
    const asked = gateway.call(approveManifest, { executor, by: 'ops', tools: tools.map((name) => ({ name, schemaDigest: odd.schemaDigest })) });
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug });
  });
});

describe('resolve-tools', () => {
  beforeEach(() => serving(readText, writeText));

  it('answers tools in activation order with one grant that the executor can check', async () => {
    const turn = newTurn();
    const answer = await resolve(turn);
    expect(answer.tools.map(({ name, executor, effect, skill }) => [name, executor, effect, skill])).toEqual([
      ['docs_read_text', 'docs', 'read', 'briefing-memo@1.0.0'],
      ['docs_write_text', 'docs', 'write', 'briefing-memo@1.0.0'],
    ]);
    expect(answer.tools[0]!.inputSchema).toEqual(readText.inputSchema);
    expect(answer.profiles).toEqual([{ name: 'docs', skill: 'briefing-memo@1.0.0' }]);

    const [held] = answer.grants;
    const verifier = makeVerifier({ issuer: 'registry', typ: 'grant', schema: grantClaims, fetchKeys: () => docs.call(registryPublicKeys, {}) });
    const grant = await verifier.verify(held!.grant);
    const { account: of, user, chat, turn: id } = turn.ticket;
    expect(grant).toMatchObject({ aud: 'docs', account: of, user, chat, turn: id, jti: held!.id });
    expect(Object.keys(grant.tools)).toEqual(['docs_read_text', 'docs_write_text']);
    expect(grant.tools.docs_read_text).toBe(`briefing-memo@1.0.0#${'d'.repeat(64)}`);
    expect(grant.exp - now()).toBeLessThanOrEqual(60);
    expect(held!.expiresAt).toBe(grant.exp * 1000);
  });

  it('opens nothing without a receipt', async () => {
    const { ticket } = newTurn();
    expect(await orchestrator.call(resolveTools, { ticket: await tickets.sign(ticket), receipts: [] })).toMatchObject({ tools: [], grants: [], profiles: [] });
  });

  it.each<[string, Partial<ReceiptClaims>]>([
    ['turn', { turn: randomUUID() }],
    ['chat', { chat: randomUUID() }],
    ['account', { account: randomUUID() }],
    ['ticket', { ticket: randomUUID() }],
  ])('opens nothing for a receipt of another %s', async (what, receipt) => {
    await expect(resolve(newTurn({ receipt }))).rejects.toMatchObject({ slug: 'foreign-receipt', message: expect.stringContaining(`another ${what}`) });
  });

  it('refuses an altered ticket', async () => {
    const { ticket, receipt } = newTurn();
    const [header, payload, signature] = (await tickets.sign(ticket)).split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TicketClaims;
    const altered = Buffer.from(JSON.stringify({ ...claims, account: randomUUID() })).toString('base64url');
    const asked = orchestrator.call(resolveTools, { ticket: [header, altered, signature].join('.'), receipts: [await receipts.sign(receipt)] });
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug: 'ticket-invalid' });
  });

  it('refuses a ticket that the catalog signed, and a receipt that the gateway signed', async () => {
    const { ticket, receipt } = newTurn();
    const shown = { ticket: await receipts.sign(ticket), receipts: [] };
    await expect(orchestrator.call(resolveTools, shown)).rejects.toMatchObject({ slug: 'ticket-invalid' });
    const forged = { ticket: await tickets.sign(ticket), receipts: [await tickets.sign(receipt)] };
    await expect(orchestrator.call(resolveTools, forged)).rejects.toMatchObject({ slug: 'receipt-invalid' });
  });

  it('refuses a ticket that names no turn, an expired one, and an expired receipt', async () => {
    await expect(resolve(newTurn({ ticket: { turn: undefined } }))).rejects.toMatchObject({ slug: 'ticket-invalid' });
    await expect(resolve(newTurn({ ticket: { iat: now() - 100, exp: now() - 1 } }))).rejects.toMatchObject({ slug: 'ticket-expired' });
    await expect(resolve(newTurn({ receipt: { iat: now() - 100, exp: now() - 1 } }))).rejects.toMatchObject({ slug: 'receipt-expired' });
  });

  it('refuses a free account whatever it shows', async () => {
    account.facts = entitled({ tier: 'free', capabilities: [] });
    await expect(resolve(newTurn())).rejects.toMatchObject({ kind: 'refusal', slug: 'tools-not-allowed' });
  });

  it('asks accounts for the newest epoch that ticket and receipts have seen, and never for an older one', async () => {
    account.facts = entitled({ policyEpoch: 9 });
    expect(await resolve(newTurn({ ticket: { policyEpoch: 4 }, receipt: { policyEpoch: 7 } }))).toMatchObject({ policyEpoch: 9 });
    expect(account.asked).toEqual([7]);
  });

  it('says that it may be tried again when accounts does not know that epoch yet', async () => {
    await expect(resolve(newTurn({ ticket: { policyEpoch: 2 } }))).rejects.toMatchObject({ kind: 'unavailable', slug: 'entitlements-behind' });
  });

  it('does not ask again within a second, unless a newer epoch is demanded', async () => {
    const turn = newTurn();
    await resolve(turn);
    await resolve(turn);
    expect(account.asked).toEqual([1]);
    account.facts = entitled({ policyEpoch: 2, capabilities: [] });
    await expect(resolve({ ...turn, ticket: { ...turn.ticket, policyEpoch: 2 } })).rejects.toMatchObject({ slug: 'tools-not-allowed' });
    expect(account.asked).toEqual([1, 2]);
  });

  it('keeps the facts of two accounts apart', async () => {
    await resolve(newTurn());
    account.facts = entitled({ capabilities: [] });
    await expect(resolve(newTurn())).rejects.toMatchObject({ slug: 'tools-not-allowed' });
  });

  it('withholds what nobody serves and opens the rest', async () => {
    const answer = await resolve(newTurn({ requires: { profiles: ['slack', 'docs'] } }));
    expect(answer.tools).toHaveLength(2);
    const reasons = answer.withheld.map(({ name, slug }) => `${name}: ${slug}`);
    expect(reasons[0]).toBe('slack: integration-missing');
    expect(reasons).toContain('docs/docs_generate_docx: unserved');
  });

  it('opens nothing of a skill that a lock switched off after the load', async () => {
    account.facts = entitled({ policyEpoch: 3, locks: { operator: { 'briefing-memo': 'never' }, admin: {} } });
    expect(await resolve(newTurn({ ticket: { policyEpoch: 3 } }))).toMatchObject({ tools: [], grants: [], withheld: [{ name: 'docs', slug: 'skill-never' }] });
  });
});

describe('the profiles', () => {
  it('are listed with their tokens, the unserved as such', async () => {
    await serving(readText);
    const { profiles, allToolsTokens } = await gateway.call(listProfiles, {});
    expect(profiles).toHaveLength(14);
    const docsProfile = profiles.find((profile) => profile.name === 'docs')!;
    expect(docsProfile).toMatchObject({ unserved: false, capability: 'tools' });
    expect(docsProfile.tokens).toBeGreaterThan(20);
    expect(profiles.find((profile) => profile.name === 'slack')).toMatchObject({ unserved: true, tokens: 0 });
    expect(allToolsTokens).toBe(docsProfile.tokens);
  });
});
