import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { finished, openGatewayHouse, queuesOf, until, type GatewayHouse, type StartedTurn } from '../gateway-house.fixture.js';
import { chatBody, contentOf, dataOf, delta, ended, failed, progress, saying } from './chat.fixture.js';

let house: GatewayHouse;

beforeAll(async () => {
  house = await openGatewayHouse();
}, 30_000);
afterEach(() => {
  house.onTurn = () => undefined;
});
afterAll(() => house?.close());

const streamed = (more: object = {}) => house.ask('/v1/chat/completions', { json: chatBody({ stream: true, ...more }) });

describe('a streamed turn', () => {
  it('is a transcript of the vendor: role, content, finish, done', async () => {
    house.onTurn = saying(delta(0, 'Hel'), progress(1), delta(2, 'lo'), ended(3, 'Hello'));
    const response = await streamed();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const turn = response.headers.get('x-skillgate-turn')!;
    expect(response.headers.get('x-skillgate-chat')).toBe(house.turns.get(turn)!.ticket.chat);
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    const text = await response.text();
    const masked = text.replaceAll(turn, 'TURN').replaceAll(/"created":\d+/g, '"created":0');
    const head = '"id":"chatcmpl-TURN","object":"chat.completion.chunk","created":0,"model":"default"';
    const chunk = (delta: string, finish = 'null') =>
      `data: {${head},"choices":[{"index":0,"delta":${delta},"finish_reason":${finish},"logprobs":null}]}\n\n`;
    expect(masked).toBe(
      [
        `id: 0.0\n${chunk('{"role":"assistant","content":""}')}`,
        `id: 1.0\n${chunk('{"content":"Hel"}')}`,
        ': calling docs_write_text two lines\n',
        `id: 1.2\n${chunk('{"content":"lo"}')}`,
        `id: 1.end\n${chunk('{}', '"stop"')}`,
        'data: [DONE]\n\n',
      ].join(''),
    );
  });

  it('has a usage chunk last, and null before, when usage was asked for', async () => {
    house.onTurn = saying(delta(0, 'Hello'), ended(1, 'Hello'));
    const chunks = dataOf(await (await streamed({ stream_options: { include_usage: true } })).text());
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, prompt_tokens_details: { cached_tokens: 2 } },
    });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it('carries progress in chunks only for who asks for it', async () => {
    house.onTurn = saying(progress(0), delta(1, 'Hi'), ended(2, 'Hi'));
    const text = await (await streamed({ skillgate: { progress: true } })).text();
    expect(text).not.toContain(': calling');
    expect(dataOf(text)[1]).toMatchObject({
      choices: [{ delta: {} }],
      skillgate: { progress: { stage: 'calling', tool: 'docs_write_text' } },
    });
  });

  it('misses nothing that is said before the start is acknowledged', async () => {
    house.onTurn = async (turn) => {
      turn.say(delta(0, 'early '));
      await new Promise((resolve) => setTimeout(resolve, 50));
      turn.say(delta(1, 'late'));
      turn.say(ended(2, 'early late'));
    };
    expect(contentOf(await (await streamed()).text())).toBe('early late');
  });

  it('drops lower attempts after a takeover', async () => {
    house.onTurn = saying(delta(0, 'new', 2), delta(0, 'old', 1), ended(1, 'new', 2));
    expect(contentOf(await (await streamed()).text())).toBe('new');
  });

  it('fills a gap from the stream, and goes on live without the journal', async () => {
    let turn: StartedTurn | undefined;
    house.onTurn = (started) => {
      turn = started;
      const [queue] = queuesOf(house.gateway);
      const push = queue!.push.bind(queue);
      queue!.push = (message) => (message.n === 1 ? undefined : push(message)); // what the subscription loses
      saying(delta(0, 'one '), delta(1, 'two '), delta(2, 'three '))(started);
    };
    const before = house.journalReads;
    const reading = (await streamed()).text();
    setTimeout(() => saying(delta(3, 'four'), ended(4, 'one two three four'))(turn!), 50);
    const text = await reading;
    expect(contentOf(text)).toBe('one two three four');
    expect([...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)).toEqual(['0.0', '1.0', '1.2', '1.3', '1.end']);
    expect(house.journalReads).toBe(before);
  });

  it('fills a gap from the journal when the stream has it neither', async () => {
    house.onTurn = (turn) => {
      turn.outcome = finished('one two three');
      saying(delta(0, 'one '), delta(2, 'three'))(turn);
    };
    expect(contentOf(await (await streamed()).text())).toBe('one two three');
  });

  it('asks the journal after silence, and never hangs', async () => {
    house.onTurn = (turn) => {
      turn.say(delta(0, 'half'));
      setTimeout(() => (turn.outcome = finished('half and half')), 250);
    };
    const before = house.journalReads;
    expect(contentOf(await (await streamed()).text())).toBe('half and half');
    expect(house.journalReads - before).toBeGreaterThanOrEqual(2);
  });

  it('ends with an error chunk and without [DONE] when the turn fails', async () => {
    house.onTurn = saying(failed(0, 'model-unreachable'));
    const text = await (await streamed()).text();
    expect(dataOf(text).at(-1)).toEqual({
      error: { message: 'The model is away.', type: 'server_error', param: null, code: 'model-unreachable', correlation_id: 'c1' },
    });
    expect(text).not.toContain('[DONE]');
  });

  it('is cancelled when its client leaves, and nobody listens any more', async () => {
    house.onTurn = saying(delta(0, 'a'));
    const leave = new AbortController();
    const response = await house.ask('/v1/chat/completions', { json: chatBody({ stream: true }), signal: leave.signal });
    const turn = response.headers.get('x-skillgate-turn')!;
    leave.abort();
    await until(() => house.cancelled.includes(turn));
    const reads = house.journalReads;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(house.journalReads).toBe(reads);
  });

  it('of 200 clients who all leave after the first chunk leaves nothing behind', async () => {
    const before = house.cancelled.length;
    house.onTurn = saying(delta(0, 'a'));
    for (let round = 0; round < 4; round++) {
      const leaves = Array.from({ length: 50 }, async () => {
        const leave = new AbortController();
        const response = await house.ask('/v1/chat/completions', { json: chatBody({ stream: true }), signal: leave.signal });
        await response.body!.getReader().read();
        leave.abort();
      });
      await Promise.all(leaves);
    }
    await until(() => house.cancelled.length === before + 200, 10_000);
    const reads = house.journalReads;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(house.journalReads).toBe(reads); // a follower left behind would go on asking
  });

  it('reaches a client whole that is far behind', async () => {
    const piece = 'x'.repeat(10_000);
    const answer = piece.repeat(20);
    house.onTurn = (turn) => {
      for (let n = 0; n < 2_000; n++) turn.say(delta(n, n < 20 ? piece : ''));
      turn.say(ended(2_000, answer));
    };
    const response = await streamed();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(contentOf(await response.text())).toBe(answer);
  });

  it('survives a restart of NATS: what was lost meanwhile comes from the journal', async () => {
    let turn: StartedTurn | undefined;
    house.onTurn = (started) => {
      turn = started;
      started.say(delta(0, 'before '));
    };
    const response = await streamed();
    await house.nats.server.restart();
    await until(() => Object.values(house.wires).every((wire) => wire.status().connected), 10_000);
    turn!.outcome = finished('before and after');
    expect(contentOf(await response.text())).toBe('before and after');
  }, 20_000);
});
