// Proves: a client that was cut off reads on through any gateway, without loss or repetition.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { finished, openGatewayHouse, until, type GatewayHouse, type Replica, type StartedTurn } from '../gateway-house.fixture.js';
import { chatBody, contentOf, dataOf, delta, ended, failed, progress, saying } from './chat.fixture.js';
import { openStream, resume, take, textOf, type Received } from './stream-client.fixture.js';
import { restartMark } from './turn-reader.js';

let house: GatewayHouse;
let other: Replica;

beforeAll(async () => {
  house = await openGatewayHouse({ SKILLGATE_CANCEL_GRACE_MS: '60000' });
  other = await house.addReplica();
}, 30_000);
afterEach(() => {
  house.onTurn = () => undefined;
});
afterAll(() => house?.close());

/** Starts a turn at the first gateway and is cut off after `count` events. */
async function begin(count?: number, more: object = {}): Promise<{ turn: StartedTurn; id: string; had: Received[] }> {
  const response = await openStream(`${house.url}/v1/chat/completions`, { json: chatBody({ stream: true, model: 'other', ...more }) });
  const id = String(response.headers['x-skillgate-turn']);
  const had = await take(response, count);
  return { turn: house.turns.get(id)!, id, had };
}
const lastId = (events: readonly Received[]) => events.at(-1)?.id;
const streamOf = (turn: string, query = '', headers: Record<string, string> = {}) =>
  other.ask(`/api/v1/turns/${turn}/stream${query}`, { headers });

describe('a turn that runs', () => {
  it('is read without loss or repetition by a client that is cut off again and again', async () => {
    const pieces = Array.from({ length: 400 }, (_, n) => `${n} `);
    house.onTurn = (turn) => {
      let n = 0;
      const timer = setInterval(() => {
        for (const end = n + 4; n < end; n++) turn.say(n % 10 === 3 ? { ...progress(n), attempt: 1 } : delta(n, pieces[n]!));
        if (n < pieces.length) return;
        clearInterval(timer);
        turn.say(ended(n, pieces.filter((_, at) => at % 10 !== 3).join('')));
      }, 4);
    };
    const { id, had } = await begin(9, { skillgate: { progress: true } });
    const watcher = resume(house.url, id); // one that is never cut off
    const all = [...had];
    let hops = 0;
    while (all.at(-1)?.data !== '[DONE]') {
      hops += 1;
      const [at, ...rest] = [[other, house][hops % 2]!.url, id, lastId(all), 2 + (hops % 5)] as const;
      all.push(...(await resume(at, ...rest)));
    }
    expect(hops).toBeGreaterThan(3);
    const answer = pieces.filter((_, at) => at % 10 !== 3).join('');
    expect(textOf(all)).toBe(answer);
    expect(textOf(await watcher)).toBe(answer);
    const numbers = all.map(({ id }) => id!).filter((each) => !each.endsWith('end')).map((each) => Number(each.slice(2)));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const heads = dataOf(all.map(({ data }) => `data: ${data}`).join('\n')).map(({ id, model, object }) => [id, model, object].join());
    expect(new Set(heads)).toEqual(new Set([`chatcmpl-${id},other,chat.completion.chunk`]));
  }, 30_000);

  it('goes on live where the client was, with what was said meanwhile', async () => {
    house.onTurn = saying(delta(0, 'one '), delta(1, 'two '));
    const { turn, id, had } = await begin(2);
    turn.say(delta(2, 'three '));
    const rest = resume(other.url, id, lastId(had));
    await new Promise((resolve) => setTimeout(resolve, 50));
    saying(delta(3, 'four'), ended(4, 'one two three four'))(turn);
    expect(textOf(had) + textOf(await rest)).toBe('one two three four');
  });

  it('is read from the beginning, and the client told so, with an id that it never gave', async () => {
    house.onTurn = saying(delta(0, 'one '), delta(1, 'two '));
    const { turn, id } = await begin(3);
    const reading = Promise.all(['7.1', '1.900'].map((unknown) => resume(other.url, id, unknown)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    turn.say(ended(2, 'one two '));
    for (const events of await reading) {
      expect(JSON.parse(events[0]!.data)).toMatchObject({ choices: [{ delta: { role: 'assistant' } }] });
      expect(textOf(events)).toBe('one two ');
    }
  });

  it('that was taken over shows the mark once to whoever had text on the screen, and nothing more of the first attempt', async () => {
    house.onTurn = saying(delta(0, 'Half '), delta(1, 'of '));
    const { turn, id, had } = await begin(2);
    const watching = resume(house.url, id);
    await new Promise((resolve) => setTimeout(resolve, 50));
    saying(delta(2, 'it '), { ...progress(0), attempt: 2 }, delta(1, 'The ', 2), delta(3, 'late', 1))(turn);
    const back = resume(other.url, id, lastId(had));
    const fresh = resume(other.url, id);
    await new Promise((resolve) => setTimeout(resolve, 50));
    saying(ended(4, 'Half of it late', 1), delta(2, 'whole', 2), ended(3, 'The whole', 2))(turn);
    expect(textOf(had) + textOf(await back)).toBe(`Half ${restartMark}The whole`);
    expect(textOf(await watching)).toBe(`Half of it ${restartMark}The whole`);
    expect(textOf(await fresh)).toBe('The whole');
  });

  it('fails for whoever reads it as it does for whoever asked', async () => {
    house.onTurn = saying(delta(0, 'half'));
    const { turn, id, had } = await begin(2);
    const rest = resume(other.url, id, lastId(had));
    turn.say(failed(1, 'model-unreachable'));
    const [error, ...more] = await rest;
    expect([error!.id, JSON.parse(error!.data), more]).toEqual([
      '1.end',
      { error: expect.objectContaining({ code: 'model-unreachable', type: 'server_error' }) },
      [],
    ]);
  });
});

describe('a turn that has ended', () => {
  const whole = [delta(0, 'Hel'), progress(1), delta(2, 'lo'), ended(3, 'Hello')];
  const over = async () => {
    house.onTurn = (turn) => {
      saying(...whole)(turn);
      turn.outcome = finished('Hello');
    };
    const { id, had } = await begin(undefined, { stream_options: { include_usage: true }, skillgate: { progress: true } });
    return { id, had };
  };

  it('is told again by another gateway to the letter', async () => {
    const { id, had } = await over();
    const response = await openStream(`${other.url}/api/v1/turns/${id}/stream?progress=true&include_usage=true`);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-skillgate-turn': id,
      'x-skillgate-chat': house.turns.get(id)!.ticket.chat,
    });
    const again = await take(response);
    const masked = (events: Received[]) => events.map(({ id, data }) => [id, data.replace(/"created":\d+/, '')]);
    expect(masked(again)).toEqual(masked(had));
  });

  it('is told from where the client was, at each place', async () => {
    const { id, had } = await over();
    for (const [at, event] of had.entries()) {
      const rest = await resume(other.url, id, event.id, undefined);
      expect([event.id, textOf(had.slice(0, at + 1)) + textOf(rest), rest.at(-1)?.data]).toEqual([event.id, 'Hello', '[DONE]']);
    }
  });

  it('comes from the journal when the stream has forgotten it', async () => {
    house.onTurn = (turn) => (turn.outcome = finished('Hello')) && undefined;
    const { id, had } = await begin();
    expect(lastId(had)).toBe('1.end');
    expect(textOf(await resume(other.url, id))).toBe('Hello');
    const unplaced = await resume(other.url, id, '1.1'); // what 1.1 stood for, nobody knows any more
    expect(JSON.parse(unplaced[0]!.data)).toMatchObject({ choices: [{ delta: { role: 'assistant' } }] });
    expect(textOf(unplaced)).toBe('Hello');
    const [finish, done, ...more] = await resume(other.url, id, '1.end');
    expect(JSON.parse(finish!.data)).toMatchObject({ choices: [{ finish_reason: 'stop', delta: {} }] });
    expect([done!.data, more]).toEqual(['[DONE]', []]);
  });
});

describe('the request for a stream', () => {
  it('is refused with what to do when its id is none', async () => {
    house.onTurn = saying(delta(0, 'x'));
    const { id } = await begin(2);
    for (const [query, headers, param] of [
      ['', { 'last-event-id': 'yesterday' }, 'Last-Event-ID'],
      ['?last_event_id=12', {}, 'last_event_id'],
      ['?last_event_id=1.1&last_event_id=1.2', {}, 'last_event_id'],
    ] as const) {
      const response = await streamOf(id, query, headers);
      expect(response.status).toBe(400);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(await response.json()).toMatchObject({ slug: 'invalid-event-id', param, detail: expect.stringContaining('such as 1.42') });
    }
  });

  it('is refused with the field at fault when it asks for what there is not', async () => {
    house.onTurn = saying(delta(0, 'x'));
    const { id } = await begin(2);
    for (const [query, param] of [
      ['?progress=yes', 'progress'],
      ['?from=1.1', 'from'],
    ]) {
      const response = await streamOf(id, query);
      expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ slug: 'invalid-request', param })]);
    }
  });

  it('may have its id in the address; the header, which is newer, wins', async () => {
    house.onTurn = (turn) => {
      saying(delta(0, 'a'), delta(1, 'b'), delta(2, 'c'), ended(3, 'abc'))(turn);
      turn.outcome = finished('abc');
    };
    const { id } = await begin();
    expect(contentOf(await (await streamOf(id, '?last_event_id=1.0')).text())).toBe('bc');
    expect(contentOf(await (await streamOf(id, '?last_event_id=1.0', { 'last-event-id': '1.1' })).text())).toBe('c');
  });

  it('is answered 404 for a turn of another account, and for one that is none, running or not', async () => {
    house.onTurn = saying(delta(0, 'secret'));
    const { id, turn } = await begin(2);
    const byAnother = () => other.ask(`/api/v1/turns/${id}/stream`, { as: 'admin' });
    const reading = () => Promise.all([byAnother(), streamOf(crypto.randomUUID()), streamOf('no-such')]);
    const running = await reading();
    turn.outcome = finished('secret');
    for (const response of [...running, ...(await reading())]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ slug: 'unknown-turn' });
    }
    expect((await other.ask(`/api/v1/turns/${id}/stream`, { as: null })).status).toBe(401);
  });
});

// Last: it takes the stream of all turns away, as a restarted server does with what it kept in memory.
describe('a turn whose stream was lost', () => {
  it('is followed live from the id that the client has, and ended by the journal', async () => {
    house.onTurn = saying(delta(0, 'one '));
    const { turn, id, had } = await begin(2);
    await house.nats.server.restart();
    await until(() => Object.values(house.wires).every((wire) => wire.status().connected), 10_000);
    await until(() => [house, other].every(({ gateway }) => gateway.wire!.status().connected), 10_000);
    const back = resume(other.url, id, lastId(had), 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    turn.say(delta(1, 'two '));
    const next = await back;
    turn.outcome = finished('one two three');
    const rest = await resume(other.url, id, lastId(next));
    expect(textOf(had) + textOf(next)).toBe('one two ');
    // It is over, and what stood before 1.1 is forgotten: told anew, with a mark when the new stream remembers a part of it.
    expect(textOf(rest)).toMatch(/(^|\[Parts of the stream were lost[^\]]*\]\n\n)one two three$/);
  }, 20_000);
});
