import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/artifacts';
import pg from 'pg';
import { about, alice, ArtifactsWorld, fetchBytes, sendPieces, store } from './artifacts-world.fixture.js';
import { ROOM, type Room } from './room.js';
import { sweepUnfinished } from './sweep-unfinished.js';

let world: ArtifactsWorld;

beforeAll(async () => {
  world = await ArtifactsWorld.open();
}, 60_000);
afterAll(() => world?.close());

describe('an artifact', () => {
  it.each([0, 1, calls.pieceBytes, 3 * calls.pieceBytes + 7])('of %i bytes comes back as it went', async (size) => {
    const bytes = randomBytes(size);
    const authority = await world.ticket();
    const ref = await store(world.wires.gateway, authority, bytes);
    expect(ref).toEqual({ id: expect.stringMatching(/^art_[0-9a-f]{32}$/), name: 'report.md', mime: 'text/markdown', bytes: size });
    expect((await fetchBytes(world.wires.gateway, authority, ref.id)).equals(bytes)).toBe(true);
  });

  it('that a tool made is read by the user, and one that the user uploaded by a tool', async () => {
    const made = await store(world.wires.docs, await world.grant(), Buffer.from('made'));
    expect((await fetchBytes(world.wires.gateway, await world.ticket(), made.id)).toString()).toBe('made');
    const uploaded = await store(world.wires.gateway, await world.ticket(), Buffer.from('uploaded'));
    expect((await fetchBytes(world.wires.docs, await world.grant(), uploaded.id)).toString()).toBe('uploaded');
  });

  it('is listed newest first once it is finished, and not before', async () => {
    const account = randomUUID();
    const authority = await world.ticket(account);
    const first = await store(world.wires.gateway, authority, Buffer.from('1'), { name: 'first' });
    const second = await store(world.wires.gateway, authority, Buffer.from('2'), { name: 'second' });
    await world.wires.gateway.call(calls.beginArtifact, { authority, ...about(Buffer.from('3')) });
    const { artifacts: listed } = await world.wires.gateway.call(calls.listArtifacts, { authority });
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await world.wires.gateway.call(calls.listArtifacts, { authority, limit: 1 })).artifacts).toHaveLength(1);
  });

  it('cannot be read, or counted on, before it is finished', async () => {
    const authority = await world.ticket();
    const { id } = await world.wires.gateway.call(calls.beginArtifact, { authority, ...about(Buffer.from('x')) });
    await expect(world.wires.gateway.call(calls.statArtifact, { authority, id })).rejects.toMatchObject({ slug: 'artifact-incomplete' });
    await expect(world.wires.gateway.call(calls.finishArtifact, { authority, id })).rejects.toMatchObject({ slug: 'artifact-incomplete' });
  });

  it('whose bytes are not the promised ones is refused, and can be repaired', async () => {
    const authority = await world.ticket();
    const bytes = Buffer.from('right');
    const { id } = await world.wires.gateway.call(calls.beginArtifact, { authority, ...about(bytes) });
    await sendPieces(world.wires.gateway, authority, id, Buffer.from('wrong'));
    await expect(world.wires.gateway.call(calls.finishArtifact, { authority, id })).rejects.toMatchObject({ slug: 'digest-mismatch' });
    await sendPieces(world.wires.gateway, authority, id, bytes);
    await world.wires.gateway.call(calls.finishArtifact, { authority, id });
    expect((await fetchBytes(world.wires.gateway, authority, id)).toString()).toBe('right');
  });

  it('takes no more pieces when it is finished, and finishing twice is finishing once', async () => {
    const authority = await world.ticket();
    const ref = await store(world.wires.gateway, authority, Buffer.from('x'));
    await expect(sendPieces(world.wires.gateway, authority, ref.id, Buffer.from('y'))).rejects.toMatchObject({ slug: 'artifact-finished' });
    const again = await Promise.all([1, 2, 3].map(() => world.wires.gateway.call(calls.finishArtifact, { authority, id: ref.id })));
    expect(again).toEqual([ref, ref, ref]);
  });

  it('that is too large is refused before its first byte', async () => {
    const big = { ...about(Buffer.from('x')), bytes: calls.maxArtifactBytes + 1 };
    await expect(world.wires.gateway.call(calls.beginArtifact, { authority: await world.ticket(), ...big })).rejects.toMatchObject({
      slug: 'artifact-too-large',
    });
  });

  it('whose pieces went missing says so and does not hand out less', async () => {
    const authority = await world.ticket();
    const ref = await store(world.wires.gateway, authority, Buffer.from('x'));
    await world.artifacts.app.get<Room>(ROOM).bucket.delete(`${alice}/${ref.id}/0`);
    await expect(world.wires.gateway.call(calls.readPiece, { authority, id: ref.id, index: 0 })).rejects.toMatchObject({
      kind: 'unavailable',
      slug: 'piece-lost',
    });
  });
});

describe('an upload that nobody finished', () => {
  const age = async (id: string, hours: number) => {
    const admin = new pg.Client({ connectionString: world.database.adminUrl });
    await admin.connect();
    const hex = id.slice(4);
    await admin.query(
      `UPDATE artifacts.artifacts SET created_at = now() - make_interval(hours => $1) WHERE replace(id::text, '-', '') = $2`,
      [hours, hex],
    );
    await admin.end();
  };

  it('is swept after an hour, by one of two who sweep at once, with its pieces', async () => {
    const authority = await world.ticket();
    const { id } = await world.wires.gateway.call(calls.beginArtifact, { authority, ...about(Buffer.from('x')) });
    await sendPieces(world.wires.gateway, authority, id, Buffer.from('x'));
    const kept = await store(world.wires.gateway, authority, Buffer.from('kept'));
    await age(id, 2);
    await age(kept.id, 2);
    const room = world.artifacts.app.get<Room>(ROOM);
    const removed = await Promise.all([sweepUnfinished(room), sweepUnfinished(room)]);
    expect(removed.sort()).toEqual([0, 1]);
    await expect(world.wires.gateway.call(calls.finishArtifact, { authority, id })).rejects.toMatchObject({ slug: 'unknown-artifact' });
    expect(await room.bucket.get(`${alice}/${id}/0`)).toBeNull();
    expect((await fetchBytes(world.wires.gateway, authority, kept.id)).toString()).toBe('kept');
  });

  it('is out of reach as soon as the sweep has taken it', async () => {
    const authority = await world.ticket();
    const { id } = await world.wires.gateway.call(calls.beginArtifact, { authority, ...about(Buffer.from('x')) });
    await sendPieces(world.wires.gateway, authority, id, Buffer.from('x'));
    await world.artifacts.app.get<Room>(ROOM).store.move(alice, id, 'open', 'expired');
    await expect(world.wires.gateway.call(calls.finishArtifact, { authority, id })).rejects.toMatchObject({ slug: 'unknown-artifact' });
  });

  it('is left alone before', async () => {
    const authority = await world.ticket();
    const { id } = await world.wires.gateway.call(calls.beginArtifact, { authority, ...about(Buffer.from('x')) });
    await sendPieces(world.wires.gateway, authority, id, Buffer.from('x'));
    expect(await sweepUnfinished(world.artifacts.app.get<Room>(ROOM))).toBe(0);
    expect(await world.wires.gateway.call(calls.finishArtifact, { authority, id })).toMatchObject({ id });
  });
});

describe('health', () => {
  it('says that the database is there', async () => {
    expect((await world.artifacts.health.report()).parts).toMatchObject({ database: { status: 'up' }, nats: { status: 'up' } });
  });
});
