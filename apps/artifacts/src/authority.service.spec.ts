import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/artifacts';
import { about, alice, ArtifactsWorld, bob, inAMinute, store, userOf } from './artifacts-world.fixture.js';

let world: ArtifactsWorld;

beforeAll(async () => {
  world = await ArtifactsWorld.open();
}, 60_000);
afterAll(() => world?.close());

describe('authority', () => {
  it.each<[string, string, string]>([
    ['another account', bob, userOf(bob)],
    ['another user of the account', alice, randomUUID()],
    ['another account whose user has the same id', bob, userOf(alice)],
  ])('makes an artifact one that is not there for %s, in every call', async (_whose, account, user) => {
    const ref = await store(world.wires.gateway, await world.ticket(alice), Buffer.from('secret'));
    const { id: open } = await world.wires.gateway.call(calls.beginArtifact, {
      authority: await world.ticket(alice),
      ...about(Buffer.from('x')),
    });
    for (const [wire, authority] of [
      [world.wires.gateway, await world.ticket(account, user)],
      [world.wires.docs, await world.grant('docs', account, user)],
    ] as const) {
      const id = ref.id;
      const unknown = { kind: 'refusal', slug: 'unknown-artifact' };
      await expect(wire.call(calls.statArtifact, { authority, id })).rejects.toMatchObject(unknown);
      await expect(wire.call(calls.readPiece, { authority, id, index: 0 })).rejects.toMatchObject(unknown);
      await expect(wire.call(calls.writePiece, { authority, id: open, index: 0, base64: 'eA==' })).rejects.toMatchObject(unknown);
      await expect(wire.call(calls.finishArtifact, { authority, id: open })).rejects.toMatchObject(unknown);
    }
    expect((await world.wires.gateway.call(calls.listArtifacts, { authority: await world.ticket(account, user) })).artifacts).toEqual([]);
  });

  it.each<[string, 'gateway' | 'orchestrator' | 'docs' | 'web', () => Promise<string>]>([
    ['a grant of another executor', 'web', () => world.grant('docs')],
    ['a ticket in the hands of an executor', 'docs', () => world.ticket()],
    ['a grant in the hands of the gateway', 'gateway', () => world.grant('gateway')],
    [
      'an expired ticket',
      'gateway',
      () => world.gateway.sign({ typ: 'ticket', account: alice, user: alice, policyEpoch: 1, exp: inAMinute() - 120 }),
    ],
    ['an altered ticket', 'gateway', async () => `${(await world.ticket()).slice(0, -4)}AAAA`],
    [
      'a ticket signed by the registry',
      'gateway',
      () => world.registry.sign({ typ: 'ticket', account: alice, user: alice, policyEpoch: 1, exp: inAMinute() }),
    ],
    ['something that is no token', 'orchestrator', async () => 'a.b.c'],
  ])('is not %s', async (_what, caller, token) => {
    const id = `art_${'0'.repeat(32)}`;
    await expect(world.wires[caller].call(calls.statArtifact, { authority: await token(), id })).rejects.toMatchObject({
      kind: 'refusal',
      slug: 'bad-authority',
    });
  });

  it('is a ticket for the orchestrator as well', async () => {
    const ref = await store(world.wires.gateway, await world.ticket(), Buffer.from('x'));
    expect(await world.wires.orchestrator.call(calls.statArtifact, { authority: await world.ticket(), id: ref.id })).toMatchObject({
      id: ref.id,
      pieces: 1,
    });
  });

  it('cannot be shown in the name of another service', async () => {
    const subject = `${calls.statArtifact.subject}.gateway`;
    const asGateway = { ...calls.statArtifact, subject, perCaller: false };
    await expect(world.wires.docs.call(asGateway, { authority: await world.ticket(), id: `art_${'0'.repeat(32)}` })).rejects.toMatchObject({
      kind: 'breach',
      slug: 'not-permitted',
    });
  });
});
