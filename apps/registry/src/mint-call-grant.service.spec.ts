// Proves: a tool that needs its user's yes is in no ordinary grant; a yes is for one call of that user, and is decided on the facts of now.
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import { listAudit, mintCallGrant, registryPublicKeys } from '@skillgate/contracts/calls/registry';
import { grantClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import { makeSigner, makeVerifier, newSigningKey } from '@skillgate/service-kit/signing';
import { announcedTool, entitled } from './spec-support/facts.js';
import { newTurn, now, startRegistry, until, type LiveRegistry, type Turn } from './spec-support/live-registry.js';

const profilesFile = join(tmpdir(), `skillgate-profiles-${randomUUID()}.yaml`);
const yaml = `profiles:
  - name: docs
    title: T
    capability: docs
    policy: { write: confirm, external: deny }
    groups:
      - tools: [docs_read_text, docs_write_text, docs_send]
`;
const tools = [announcedTool(), announcedTool({ name: 'docs_write_text', effect: 'write' }), announcedTool({ name: 'docs_send', effect: 'external' })];
const hash = argumentsHash({ text: 'hello' });
let registry: LiveRegistry;

beforeAll(async () => {
  writeFileSync(profilesFile, yaml);
  registry = await startRegistry({ env: { SKILLGATE_PROFILES_FILE: profilesFile } });
  await registry.serve(...tools);
}, 60_000);
afterAll(async () => {
  await registry?.stop();
  rmSync(profilesFile);
});
beforeEach(() => {
  registry.account.facts = entitled({ capabilities: ['tools', 'docs'] });
});

/** A turn with what the registry offers in it, and the authority of its user. */
async function offered(turn: Turn = newTurn()) {
  const { tools: opened, grants } = await registry.resolve(turn);
  const offer = opened.find(({ name }) => name === 'docs_write_text')!.offer!;
  const { account, user } = turn.ticket;
  const authority = (change: Partial<TicketClaims> = {}) => registry.authority({ account, user, roles: ['user'], ...change });
  const mint = async (change: object = {}) =>
    registry.gateway.call(mintCallGrant, { authority: await authority(), offer, callId: 'call-1', argumentsHash: hash, ...change });
  return { turn, opened, grants, offer, authority, mint };
}
const verify = (grant: string) =>
  makeVerifier({ issuer: 'registry', typ: 'grant', schema: grantClaims, fetchKeys: () => registry.docs.call(registryPublicKeys, {}) }).verify(grant);

describe('a profile whose writes are confirmed and whose sends are denied', () => {
  it('shows the write, grants the read alone and withholds the send with its reason', async () => {
    const turn = newTurn();
    const answer = await registry.resolve(turn);
    expect(answer.tools.map(({ name, policy }) => [name, policy])).toEqual([['docs_read_text', 'allow'], ['docs_write_text', 'confirm']]);
    expect(Object.keys((await verify(answer.grants[0]!.grant)).tools)).toEqual(['docs_read_text']);
    expect(answer.withheld).toMatchObject([{ name: 'docs/docs_send', slug: 'policy-denies' }]);
  });
});

describe('mint-call-grant', () => {
  it('answers a yes with a grant for that call and those arguments, which lives from now', async () => {
    const { turn, mint } = await offered();
    const { grant } = await mint();
    const { account, user, chat, turn: id } = turn.ticket;
    const claims = await verify(grant.grant);
    expect(claims).toMatchObject({ aud: 'docs', account, user, chat, turn: id, jti: grant.id, call: { id: 'call-1', argumentsHash: hash } });
    expect(claims.tools).toEqual({ docs_write_text: `briefing-memo@1.0.0#${'d'.repeat(64)}` });
    expect(claims.exp - now()).toBeGreaterThan(290);
    expect(claims.exp - now()).toBeLessThanOrEqual(300);
  });

  it("grants a second team's tool under the name that its executor knows", async () => {
    const theirs = announcedTool({ name: 'docs_write_text', effect: 'write', description: 'Writes for team B.' });
    registry.announceB([theirs]);
    await until(registry.executors, (seen) => seen.some(({ executor, instances }) => executor === 'team-b' && instances > 0));
    await registry.approveOf('team-b', theirs);
    const turn = newTurn();
    const { tools: opened } = await registry.resolve(turn);
    const shown = opened.find(({ name }) => name === 'docs_write_text_team_b')!;
    expect(shown).toMatchObject({ policy: 'confirm', ownName: 'docs_write_text', executor: 'team-b' });
    const { account, user } = turn.ticket;
    const authority = await registry.authority({ account, user, roles: ['user'] });
    const { grant } = await registry.gateway.call(mintCallGrant, { authority, offer: shown.offer!, callId: 'call-1', argumentsHash: hash });
    expect(await verify(grant.grant)).toMatchObject({ aud: 'team-b', tools: { docs_write_text: expect.any(String) } });
    registry.announceB([], { state: 'leaving' });
    await until(registry.executors, (seen) => seen.every(({ executor, instances }) => executor !== 'team-b' || instances === 0));
  });

  it('writes down who said yes to what, by the hash of its arguments', async () => {
    const { turn, mint } = await offered();
    const { grant } = await mint();
    const { account, user } = turn.ticket;
    const { entries } = await registry.gateway.call(listAudit, { authority: await registry.authority({ account, roles: ['admin'] }), account });
    expect(entries).toMatchObject([
      { action: 'mint-call-grant', target: 'docs_write_text', actor: { account, user }, after: { turn: turn.ticket.turn, callId: 'call-1', argumentsHash: hash, grant: grant.id } },
    ]);
  });

  it('shuts nothing out with a grant that led to nothing: other arguments and the same again are granted', async () => {
    const { mint } = await offered();
    await mint();
    const other = argumentsHash({ text: 'other' });
    const { grant } = await mint({ argumentsHash: other });
    expect(await verify(grant.grant)).toMatchObject({ call: { id: 'call-1', argumentsHash: other } });
    await expect(mint()).resolves.toMatchObject({ grant: { executor: 'docs' } });
  });

  it.each<[string, (its: Awaited<ReturnType<typeof offered>>) => Promise<object>, string]>([
    ['another user of the account', async ({ authority }) => ({ authority: await authority({ user: randomUUID() }) }), 'unknown-approval'],
    ['a user of another account', async ({ authority }) => ({ authority: await authority({ account: randomUUID() }) }), 'unknown-approval'],
    ['a run that nobody attends', async ({ authority }) => ({ authority: await authority({ unattended: true }) }), 'approval-unattended'],
    ['the ticket of the turn itself', async ({ turn }) => ({ authority: await registry.tickets.sign({ ...turn.ticket, roles: ['user'] }) }), 'authority-missing'],
    ['an offer that somebody else signed', async ({ offer }) => ({ offer: await forged(offer) }), 'offer-invalid'],
    ['a grant in the place of an offer', async ({ grants }) => ({ offer: grants[0]!.grant }), 'offer-invalid'],
    ['a receipt in the place of an offer', async ({ turn }) => ({ offer: await registry.receipts.sign(turn.receipt) }), 'offer-invalid'],
  ])('refuses %s', async (_who, change, slug) => {
    const its = await offered();
    await expect(its.mint(await change(its))).rejects.toMatchObject({ kind: 'refusal', slug });
  });

  it('refuses what the account has lost since it was offered', async () => {
    const { mint, authority } = await offered();
    registry.account.facts = entitled({ capabilities: ['tools'], policyEpoch: 2 });
    await expect(mint({ authority: await authority({ policyEpoch: 2 }) })).rejects.toMatchObject({ slug: 'tool-withheld', details: { reason: 'capability-missing' } });
  });

  it('says to its user, who decides, what a model would be told to go on without', async () => {
    const { mint, authority } = await offered();
    const locks = { operator: { 'briefing-memo': 'never' as const }, admin: {} };
    registry.account.facts = entitled({ capabilities: ['tools', 'docs'], policyEpoch: 2, locks });
    const message = 'docs_write_text cannot run now: A lock switched the skill "briefing-memo" off. Nothing was decided: deny the call, or cancel its turn.';
    await expect(mint({ authority: await authority({ policyEpoch: 2 }) })).rejects.toMatchObject({ slug: 'tool-withheld', message });
  });

  it('is closed to the orchestrator, which holds the tickets of turns', async () => {
    const { offer, authority } = await offered();
    const asked = { authority: await authority(), offer, callId: 'call-1', argumentsHash: hash };
    await expect(registry.orchestrator.call(mintCallGrant, asked, { deadlineMs: 1_000 })).rejects.toMatchObject({ slug: 'not-permitted' });
  });
});

const forged = async (offer: string): Promise<string> => {
  const claims = JSON.parse(Buffer.from(offer.split('.')[1]!, 'base64url').toString()) as object;
  return makeSigner(await newSigningKey(), 'registry').sign(claims);
};
