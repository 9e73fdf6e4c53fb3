// Proves: an operator's call of one tool is decided as any other, granted for that call alone, and written down.
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import { grantTool, listAudit, registryPublicKeys } from '@skillgate/contracts/calls/registry';
import { grantClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import { makeVerifier } from '@skillgate/service-kit/signing';
import { announcedTool, entitled } from './spec-support/facts.js';
import { now, startRegistry, until, type LiveRegistry } from './spec-support/live-registry.js';

const profilesFile = join(tmpdir(), `skillgate-profiles-${randomUUID()}.yaml`);
const yaml = `profiles:
  - name: docs
    title: T
    capability: docs
    policy: { write: confirm, external: deny }
    groups:
      - tools: [docs_read_text, docs_write_text, docs_send, docs_never_served]
`;
const tools = [announcedTool(), announcedTool({ name: 'docs_write_text', effect: 'write' }), announcedTool({ name: 'docs_send', effect: 'external' })];
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
  Object.assign(registry.account, { facts: entitled({ capabilities: ['tools', 'docs'] }), gone: false });
});

const place = () => ({ account: randomUUID(), chat: randomUUID(), turn: randomUUID(), callId: randomUUID(), argumentsHash: argumentsHash({ artifact: 'a' }) });
const grant = async (change: object = {}, by: Partial<TicketClaims> = {}) =>
  registry.gateway.call(grantTool, { authority: await registry.authority(by), tool: 'docs_read_text', ...place(), ...change });

describe('grant-tool', () => {
  it('grants the call, its arguments and its tool, in that account and for a minute at most', async () => {
    const asked = place();
    const { grant: held, effect, timeoutMs } = await grant(asked);
    const { verify } = makeVerifier({ issuer: 'registry', typ: 'grant', schema: grantClaims, fetchKeys: () => registry.docs.call(registryPublicKeys, {}) });
    const claims = await verify(held.grant);
    expect(claims).toMatchObject({ aud: 'docs', account: asked.account, turn: asked.turn, call: { id: asked.callId, argumentsHash: asked.argumentsHash } });
    expect(Object.keys(claims.tools)).toEqual(['docs_read_text']);
    expect(claims.exp - now()).toBeLessThanOrEqual(60);
    expect([effect, timeoutMs > 0]).toEqual(['read', true]);
  });

  it('stands in the audit log of the account, with who asked', async () => {
    const [asked, user] = [place(), randomUUID()];
    const { grant: held } = await grant(asked, { user });
    const { entries } = await registry.gateway.call(listAudit, { authority: await registry.authority({ account: asked.account, roles: ['admin'] }), account: asked.account });
    expect(entries).toMatchObject([{ action: 'grant-tool', target: 'docs_read_text', actor: { user }, after: { callId: asked.callId, grant: held.id } }]);
  });

  it.each<[string, object, Partial<TicketClaims>, object]>([
    ['for who is no operator', {}, { roles: ['admin'] }, { slug: 'not-allowed' }],
    ['for a tool that nobody knows', { tool: 'docs_nothing' }, {}, { slug: 'unknown-tool' }],
    ['for a tool that nobody serves', { tool: 'docs_never_served' }, {}, { slug: 'tool-withheld', details: { reason: 'unserved' } }],
    ['what a policy denies', { tool: 'docs_send' }, {}, { slug: 'tool-withheld', details: { reason: 'policy-denies' } }],
    ['what its user has to approve', { tool: 'docs_write_text' }, {}, { slug: 'tool-withheld', details: { reason: 'needs-approval' } }],
  ])('is refused %s', async (_what, change, by, refusal) => {
    await expect(grant(change, by)).rejects.toMatchObject({ kind: 'refusal', ...refusal });
  });

  it('says of an announced tool that nobody approved what it waits for, and of a quarantined one why', async () => {
    const young = announcedTool({ name: 'docs_young' });
    const bad = announcedTool({ name: 'docs_bad', description: 'Reads.\u202e' });
    registry.announce([...tools, young, bad]);
    await until(registry.states, (seen) => 'docs_bad' in seen);
    await expect(grant({ tool: 'docs_young' })).rejects.toMatchObject({ slug: 'tool-withheld', details: { reason: 'not-approved' }, message: expect.stringContaining("waits for an operator's approval") });
    await expect(grant({ tool: 'docs_bad' })).rejects.toMatchObject({ slug: 'tool-withheld', details: { reason: 'tool-quarantined' }, message: expect.stringMatching(/quarantined.*U\+202E.*[^.]\.$/) });
  });

  it('is refused for an account without the capability, without tools, and for none', async () => {
    registry.account.facts = entitled({ capabilities: ['tools'] });
    await expect(grant()).rejects.toMatchObject({ slug: 'tool-withheld', details: { reason: 'capability-missing' } });
    registry.account.facts = entitled({ capabilities: [] });
    await expect(grant()).rejects.toMatchObject({ slug: 'tools-not-allowed' });
    registry.account.gone = true;
    await expect(grant()).rejects.toMatchObject({ slug: 'unknown-account' });
  });

  it('is closed to the orchestrator, which sends the call', async () => {
    const asked = { authority: await registry.authority(), tool: 'docs_read_text', ...place() };
    await expect(registry.orchestrator.call(grantTool, asked, { deadlineMs: 1_000 })).rejects.toMatchObject({ slug: 'not-permitted' });
  });
});
