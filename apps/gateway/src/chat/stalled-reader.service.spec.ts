// Proves: a client that takes nothing at all is held no longer than it may be, and reads on at another gateway from where it was.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openGatewayHouse, queuesOf, until, type GatewayHouse, type Replica, type StartedTurn } from '../gateway-house.fixture.js';
import { chatBody, delta, ended } from './chat.fixture.js';
import { openStream, readEvents, resume, textOf, type Received } from './stream-client.fixture.js';

let house: GatewayHouse;
let other: Replica;

beforeAll(async () => {
  house = await openGatewayHouse({ SKILLGATE_STREAM_STALL_MS: '300', SKILLGATE_CANCEL_GRACE_MS: '60000' });
  other = await house.addReplica();
}, 30_000);
afterAll(() => house?.close());

describe('a client that takes nothing', () => {
  it('is cut off, leaves nothing behind, and reads the whole answer at another gateway', async () => {
    let turn: StartedTurn | undefined;
    house.onTurn = (started) => void (turn = started);
    const asked = chatBody({ model: 'm'.repeat(200), stream: true, skillgate: { progress: true } });
    const response = await openStream(`${house.url}/v1/chat/completions`, { json: asked });
    const id = String(response.headers['x-skillgate-turn']);
    expect(queuesOf(house.gateway).size).toBe(1);
    // Of what is said little reaches the sockets' end of the client, and each piece is far smaller than its chunk.
    const said: string[] = [];
    for (const end = Date.now() + 20_000; queuesOf(house.gateway).size > 0 && Date.now() < end; ) {
      for (let n = 0; n < 200 && said.length < 70_000; n++) {
        turn!.say(delta(said.length, `${said.length % 100} `));
        said.push(`${said.length % 100} `);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(queuesOf(house.gateway).size).toBe(0);

    const had: Received[] = [];
    await expect(
      (async () => {
        for await (const event of readEvents(response)) had.push(event);
      })(),
    ).rejects.toThrow();
    expect(textOf(had).length).toBeLessThan(said.join('').length);
    const rest = resume(other.url, id, had.findLast(({ id: given }) => given)?.id);
    await until(() => queuesOf(other.gateway).size > 0);
    turn!.say(delta(said.length, 'The end.'));
    turn!.say(ended(said.length + 1, `${said.join('')}The end.`));
    const events = await rest;
    expect(textOf(had) + textOf(events)).toBe(`${said.join('')}The end.`);
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(house.cancelled).toEqual([]);
  }, 60_000);
});
