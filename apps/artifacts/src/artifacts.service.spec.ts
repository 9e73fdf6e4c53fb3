import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/artifacts';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { registryPublicKeys } from '@skillgate/contracts/calls/registry';
import { platformEdges } from '@skillgate/contracts/services/all';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import { makeSigner, newSigningKey, type Signer } from '@skillgate/service-kit/signing';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import pg from 'pg';
import { artifactsService } from './artifacts.service-definition.js';
import { ROOM, type Room } from './room.js';
import { artifactsStore } from './store-definition.js';
import { sweepUnfinished } from './sweep-unfinished.js';

let nats: TestNats;
let database: TestDatabase;
let artifacts: RunningService;
let wires: Record<'gateway' | 'registry' | 'orchestrator' | 'docs' | 'web', Wire>;
let gatewaySigner: Signer;
let registrySigner: Signer;

const [alice, bob] = [randomUUID(), randomUUID()];
const soon = () => Math.floor(Date.now() / 1000) + 60;
const ticket = (account = alice) => gatewaySigner.sign({ typ: 'ticket', account, user: randomUUID(), policyEpoch: 1, exp: soon() });
const grant = (aud = 'docs', account = alice) =>
  registrySigner.sign({
    typ: 'grant',
    aud,
    account,
    user: randomUUID(),
    chat: randomUUID(),
    turn: randomUUID(),
    tools: {},
    policyEpoch: 1,
    exp: soon(),
  });

beforeAll(async () => {
  nats = await withNats([...platformEdges, executorEdges('docs'), executorEdges('web')]);
  database = await withDatabase();
  const names = ['gateway', 'registry', 'orchestrator', 'docs', 'web'] as const;
  wires = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await nats.connect(name)] as const))) as typeof wires;
  gatewaySigner = makeSigner(await newSigningKey(), 'gateway');
  registrySigner = makeSigner(await newSigningKey(), 'registry');
  await wires.gateway.serve(gatewayPublicKeys, async () => gatewaySigner.publicKeys()).ready;
  await wires.registry.serve(registryPublicKeys, async () => registrySigner.publicKeys()).ready;
  artifacts = await bootService(artifactsService, {
    SKILLGATE_NATS_URL: nats.url,
    SKILLGATE_NATS_PASSWORD: nats.passwords['artifacts'],
    SKILLGATE_LOG_LEVEL: 'silent',
    SKILLGATE_DATABASE_URL: await database.migrate(artifactsStore),
  });
}, 60_000);

afterAll(async () => {
  await artifacts?.stop(2_000);
  await nats?.close();
  await database?.close();
});

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const about = (bytes: Buffer, more: object = {}) => ({
  name: 'report.md',
  mime: 'text/markdown',
  bytes: bytes.length,
  sha256: digestOf(bytes),
  ...more,
});

async function sendPieces(wire: Wire, authority: string, id: string, bytes: Buffer): Promise<void> {
  for (let index = 0; index * calls.pieceBytes < bytes.length; index++) {
    const piece = bytes.subarray(index * calls.pieceBytes, (index + 1) * calls.pieceBytes);
    await wire.call(calls.writePiece, { authority, id, index, base64: piece.toString('base64') });
  }
}

async function store(wire: Wire, authority: string, bytes: Buffer, more: object = {}) {
  const { id } = await wire.call(calls.beginArtifact, { authority, ...about(bytes, more) });
  await sendPieces(wire, authority, id, bytes);
  return wire.call(calls.finishArtifact, { authority, id });
}

async function fetchBytes(wire: Wire, authority: string, id: string): Promise<Buffer> {
  const { pieces } = await wire.call(calls.statArtifact, { authority, id });
  const read = [];
  for (let index = 0; index < pieces; index++)
    read.push(Buffer.from((await wire.call(calls.readPiece, { authority, id, index })).base64, 'base64'));
  return Buffer.concat(read);
}

describe('an artifact', () => {
  it.each([0, 1, calls.pieceBytes, 3 * calls.pieceBytes + 7])('of %i bytes comes back as it went', async (size) => {
    const bytes = randomBytes(size);
    const authority = await ticket();
    const ref = await store(wires.gateway, authority, bytes);
    expect(ref).toEqual({ id: expect.stringMatching(/^art_[0-9a-f]{32}$/), name: 'report.md', mime: 'text/markdown', bytes: size });
    expect((await fetchBytes(wires.gateway, authority, ref.id)).equals(bytes)).toBe(true);
  });

  it('that a tool made is read by the user, and one that the user uploaded by a tool', async () => {
    const made = await store(wires.docs, await grant(), Buffer.from('made'));
    expect((await fetchBytes(wires.gateway, await ticket(), made.id)).toString()).toBe('made');
    const uploaded = await store(wires.gateway, await ticket(), Buffer.from('uploaded'));
    expect((await fetchBytes(wires.docs, await grant(), uploaded.id)).toString()).toBe('uploaded');
  });

  it('is listed newest first once it is finished, and not before', async () => {
    const account = randomUUID();
    const authority = await ticket(account);
    const first = await store(wires.gateway, authority, Buffer.from('1'), { name: 'first' });
    const second = await store(wires.gateway, authority, Buffer.from('2'), { name: 'second' });
    await wires.gateway.call(calls.beginArtifact, { authority, ...about(Buffer.from('3')) });
    const { artifacts: listed } = await wires.gateway.call(calls.listArtifacts, { authority });
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await wires.gateway.call(calls.listArtifacts, { authority, limit: 1 })).artifacts).toHaveLength(1);
  });

  it('cannot be read, or counted on, before it is finished', async () => {
    const authority = await ticket();
    const { id } = await wires.gateway.call(calls.beginArtifact, { authority, ...about(Buffer.from('x')) });
    await expect(wires.gateway.call(calls.statArtifact, { authority, id })).rejects.toMatchObject({ slug: 'artifact-incomplete' });
    await expect(wires.gateway.call(calls.finishArtifact, { authority, id })).rejects.toMatchObject({ slug: 'artifact-incomplete' });
  });

  it('whose bytes are not the promised ones is refused, and can be repaired', async () => {
    const authority = await ticket();
    const bytes = Buffer.from('right');
    const { id } = await wires.gateway.call(calls.beginArtifact, { authority, ...about(bytes) });
    await sendPieces(wires.gateway, authority, id, Buffer.from('wrong'));
    await expect(wires.gateway.call(calls.finishArtifact, { authority, id })).rejects.toMatchObject({ slug: 'digest-mismatch' });
    await sendPieces(wires.gateway, authority, id, bytes);
    await wires.gateway.call(calls.finishArtifact, { authority, id });
    expect((await fetchBytes(wires.gateway, authority, id)).toString()).toBe('right');
  });

  it('takes no more pieces when it is finished, and finishing twice is finishing once', async () => {
    const authority = await ticket();
    const ref = await store(wires.gateway, authority, Buffer.from('x'));
    await expect(sendPieces(wires.gateway, authority, ref.id, Buffer.from('y'))).rejects.toMatchObject({ slug: 'artifact-finished' });
    const again = await Promise.all([1, 2, 3].map(() => wires.gateway.call(calls.finishArtifact, { authority, id: ref.id })));
    expect(again).toEqual([ref, ref, ref]);
  });

  it('that is too large is refused before its first byte', async () => {
    const big = { ...about(Buffer.from('x')), bytes: calls.maxArtifactBytes + 1 };
    await expect(wires.gateway.call(calls.beginArtifact, { authority: await ticket(), ...big })).rejects.toMatchObject({
      slug: 'artifact-too-large',
    });
  });

  it('whose pieces went missing says so and does not hand out less', async () => {
    const authority = await ticket();
    const ref = await store(wires.gateway, authority, Buffer.from('x'));
    await artifacts.app.get<Room>(ROOM).bucket.delete(`${alice}/${ref.id}/0`);
    await expect(wires.gateway.call(calls.readPiece, { authority, id: ref.id, index: 0 })).rejects.toMatchObject({
      kind: 'unavailable',
      slug: 'piece-lost',
    });
  });
});

describe('authority', () => {
  it("makes another account's artifact one that is not there, in every call", async () => {
    const ref = await store(wires.gateway, await ticket(alice), Buffer.from('secret'));
    const { id: open } = await wires.gateway.call(calls.beginArtifact, { authority: await ticket(alice), ...about(Buffer.from('x')) });
    for (const [wire, authority] of [
      [wires.gateway, await ticket(bob)],
      [wires.docs, await grant('docs', bob)],
    ] as const) {
      const id = ref.id;
      const unknown = { kind: 'refusal', slug: 'unknown-artifact' };
      await expect(wire.call(calls.statArtifact, { authority, id })).rejects.toMatchObject(unknown);
      await expect(wire.call(calls.readPiece, { authority, id, index: 0 })).rejects.toMatchObject(unknown);
      await expect(wire.call(calls.writePiece, { authority, id: open, index: 0, base64: 'eA==' })).rejects.toMatchObject(unknown);
      await expect(wire.call(calls.finishArtifact, { authority, id: open })).rejects.toMatchObject(unknown);
    }
    expect((await wires.gateway.call(calls.listArtifacts, { authority: await ticket(bob) })).artifacts).toEqual([]);
  });

  it.each<[string, 'gateway' | 'orchestrator' | 'docs' | 'web', () => Promise<string>]>([
    ['a grant of another executor', 'web', () => grant('docs')],
    ['a ticket in the hands of an executor', 'docs', () => ticket()],
    ['a grant in the hands of the gateway', 'gateway', () => grant('gateway')],
    [
      'an expired ticket',
      'gateway',
      () => gatewaySigner.sign({ typ: 'ticket', account: alice, user: alice, policyEpoch: 1, exp: soon() - 120 }),
    ],
    ['an altered ticket', 'gateway', async () => `${(await ticket()).slice(0, -4)}AAAA`],
    [
      'a ticket signed by the registry',
      'gateway',
      () => registrySigner.sign({ typ: 'ticket', account: alice, user: alice, policyEpoch: 1, exp: soon() }),
    ],
    ['something that is no token', 'orchestrator', async () => 'a.b.c'],
  ])('is not %s', async (_what, caller, token) => {
    const id = `art_${'0'.repeat(32)}`;
    await expect(wires[caller].call(calls.statArtifact, { authority: await token(), id })).rejects.toMatchObject({
      kind: 'refusal',
      slug: 'bad-authority',
    });
  });

  it('is a ticket for the orchestrator as well', async () => {
    const ref = await store(wires.gateway, await ticket(), Buffer.from('x'));
    expect(await wires.orchestrator.call(calls.statArtifact, { authority: await ticket(), id: ref.id })).toMatchObject({
      id: ref.id,
      pieces: 1,
    });
  });

  it('cannot be shown in the name of another service', async () => {
    const subject = `${calls.statArtifact.subject}.gateway`;
    const asGateway = { ...calls.statArtifact, subject, perCaller: false };
    await expect(wires.docs.call(asGateway, { authority: await ticket(), id: `art_${'0'.repeat(32)}` })).rejects.toMatchObject({
      kind: 'breach',
      slug: 'not-permitted',
    });
  });
});

describe('an upload that nobody finished', () => {
  const age = async (id: string, hours: number) => {
    const admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    const hex = id.slice(4);
    await admin.query(
      `UPDATE artifacts.artifacts SET created_at = now() - make_interval(hours => $1) WHERE replace(id::text, '-', '') = $2`,
      [hours, hex],
    );
    await admin.end();
  };

  it('is swept after an hour, by one of two who sweep at once, with its pieces', async () => {
    const authority = await ticket();
    const { id } = await wires.gateway.call(calls.beginArtifact, { authority, ...about(Buffer.from('x')) });
    await sendPieces(wires.gateway, authority, id, Buffer.from('x'));
    const kept = await store(wires.gateway, authority, Buffer.from('kept'));
    await age(id, 2);
    await age(kept.id, 2);
    const room = artifacts.app.get<Room>(ROOM);
    const removed = await Promise.all([sweepUnfinished(room), sweepUnfinished(room)]);
    expect(removed.sort()).toEqual([0, 1]);
    await expect(wires.gateway.call(calls.finishArtifact, { authority, id })).rejects.toMatchObject({ slug: 'unknown-artifact' });
    expect(await room.bucket.get(`${alice}/${id}/0`)).toBeNull();
    expect((await fetchBytes(wires.gateway, authority, kept.id)).toString()).toBe('kept');
  });

  it('is left alone before', async () => {
    const authority = await ticket();
    const { id } = await wires.gateway.call(calls.beginArtifact, { authority, ...about(Buffer.from('x')) });
    await sendPieces(wires.gateway, authority, id, Buffer.from('x'));
    expect(await sweepUnfinished(artifacts.app.get<Room>(ROOM))).toBe(0);
    expect(await wires.gateway.call(calls.finishArtifact, { authority, id })).toMatchObject({ id });
  });
});

describe('health', () => {
  it('says that the database is there', async () => {
    expect((await artifacts.health.report()).parts).toMatchObject({ database: { status: 'up' }, nats: { status: 'up' } });
  });
});
