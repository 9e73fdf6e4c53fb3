// Proves: when a chat was deleted, the files made in it go with their bytes, none is taken for it any more, and nothing else is touched.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/artifacts';
import { chatDeleted } from '@skillgate/contracts/events/orchestrator';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { streamsOf } from '@skillgate/contracts/streams';
import { about, alice, ArtifactsWorld, inAMinute, sendPieces, store, userOf } from './artifacts-world.fixture.js';
import { ROOM, type Room } from './room.js';

let world: ArtifactsWorld;
let room: Room;

beforeAll(async () => {
  world = await ArtifactsWorld.open();
  await world.wires.orchestrator.reconcileStreams(streamsOf(orchestratorEdges));
  room = (world.artifacts as unknown as { app: { get(token: symbol): Room } }).app.get(ROOM);
}, 60_000);
afterAll(() => world?.close());

const grantIn = (chat: string) =>
  world.registry.sign({ typ: 'grant', aud: 'docs', account: alice, user: userOf(alice), chat, turn: randomUUID(), tools: {}, policyEpoch: 1, exp: inAMinute() });

const forget = (chat: string) => {
  const payload = { chat, account: alice, user: userOf(alice), at: new Date().toISOString() };
  return world.wires.orchestrator.publishEvent(chatDeleted, payload, { id: randomUUID() });
};

const stat = async (id: string) => world.wires.gateway.call(calls.statArtifact, { authority: await world.ticket(), id });

async function untilGone(id: string): Promise<void> {
  for (let n = 0; n < 200; n++) {
    const gone = await stat(id).then(() => false, () => true);
    if (gone && (await room.bucket.get(`${alice}/${id}/0`)) === null) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${id} is still there`);
}

describe('files of a deleted chat', () => {
  it('are gone with their bytes, and those of another chat and uploads stay', async () => {
    const [chat, other] = [randomUUID(), randomUUID()];
    const made = await store(world.wires.docs, await grantIn(chat), Buffer.from('made'));
    const elsewhere = await store(world.wires.docs, await grantIn(other), Buffer.from('elsewhere'));
    const uploaded = await store(world.wires.gateway, await world.ticket(), Buffer.from('uploaded'));
    await forget(chat);
    await untilGone(made.id);
    for (const { id } of [elsewhere, uploaded]) expect((await stat(id)).id).toBe(id);
    await expect(stat(made.id)).rejects.toMatchObject({ slug: 'unknown-artifact' });
  });

  it('are taken no more: what a tool brings late is refused, begun before or after', async () => {
    const chat = randomUUID();
    const authority = await grantIn(chat);
    const bytes = Buffer.from('late');
    const done = await store(world.wires.docs, authority, bytes);
    const { id } = await world.wires.docs.call(calls.beginArtifact, { authority, ...about(bytes) });
    await sendPieces(world.wires.docs, authority, id, bytes);
    await forget(chat);
    await untilGone(done.id);
    await untilGone(id);
    await expect(world.wires.docs.call(calls.finishArtifact, { authority, id })).rejects.toMatchObject({ slug: 'unknown-artifact' });
    await expect(world.wires.docs.call(calls.beginArtifact, { authority, ...about(bytes) })).rejects.toMatchObject({ slug: 'bad-authority' });
  });

  it('may be told of twice', async () => {
    const chat = randomUUID();
    await forget(chat);
    await forget(chat);
    const later = await store(world.wires.docs, await grantIn(randomUUID()), Buffer.from('x'));
    expect((await stat(later.id)).id).toBe(later.id);
  });
});
