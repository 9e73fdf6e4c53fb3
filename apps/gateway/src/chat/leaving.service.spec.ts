import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startOtlpReceiver, type OtlpReceiver } from '@skillgate/backing/otlp-receiver';
import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import { finished, openGatewayHouse, until, type GatewayHouse, type StartedTurn } from '../gateway-house.fixture.js';
import { inOwnProcess } from '../gateway-process.fixture.js';

let traces: OtlpReceiver;
let house: GatewayHouse;

beforeAll(async () => {
  traces = await startOtlpReceiver();
  house = await openGatewayHouse({ OTEL_EXPORTER_OTLP_ENDPOINT: traces.url }, inOwnProcess);
}, 30_000);
afterAll(async () => {
  await house?.close();
  await traces?.close();
}, 20_000);

const delta = (n: number, text: string): TurnMessage => ({ attempt: 1, n, body: { type: 'delta', text } });
const stream = (signal?: AbortSignal) =>
  house.ask('/v1/chat/completions', { json: { model: 'default', stream: true, messages: [{ role: 'user', content: 'x' }] }, signal });

describe('the trace of a turn', () => {
  it('is named in the answer, and begins with the request, under which each call stands', async () => {
    house.onTurn = (turn) => {
      turn.say({ attempt: 1, n: 0, body: { type: 'ended', outcome: finished('') } });
    };
    const response = await stream();
    await response.text();
    const id = response.headers.get('x-trace-id')!;
    expect(response.headers.get('traceresponse')).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`));
    await traces.until((spans) => spans.some(({ traceId, name }) => traceId === id && name === 'POST /v1/chat/completions'));
    const spans = traces.trace(id);
    const request = spans.find(({ name }) => name === 'POST /v1/chat/completions')!;
    expect(request.service).toBe('gateway');
    const calls = spans.filter(({ name }) => name.startsWith('call '));
    expect(calls.map(({ name }) => name)).toEqual(expect.arrayContaining(['call call.v1.orchestrator.start-turn']));
    expect(calls.filter(({ parentSpanId }) => parentSpanId !== request.spanId)).toEqual([]);
  });

  it('ends for each of 100 clients who leave after the first chunk', async () => {
    house.onTurn = (turn) => turn.say(delta(0, 'a'));
    const ids = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const leave = new AbortController();
        const response = await stream(leave.signal);
        await response.body!.getReader().read();
        leave.abort();
        return response.headers.get('x-trace-id')!;
      }),
    );
    const ended = (spans: { traceId: string; name: string }[]) =>
      new Set(spans.filter(({ name }) => name === 'POST /v1/chat/completions').map(({ traceId }) => traceId));
    const before = Date.now();
    while (!ids.every((id) => ended(traces.spans()).has(id))) {
      if (Date.now() - before > 10_000) throw new Error(`${ids.filter((id) => !ended(traces.spans()).has(id)).length} spans never ended`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(new Set(ids).size).toBe(100);
  }, 20_000);
});

describe('a gateway that is told to stop', () => {
  it('lets a running stream end, takes no new request, and loses nothing', async () => {
    let turn: StartedTurn | undefined;
    house.onTurn = (started) => {
      turn = started;
      started.say(delta(0, 'before '));
    };
    const response = await stream();
    const stopping = house.gateway.stop();
    await until(() => turn !== undefined);
    let refused = false;
    void (async () => {
      while (!refused)
        refused = await house.ask('/v1/models').then(
          ({ ok }) => !ok,
          () => true,
        );
    })();
    await until(() => refused);
    turn!.say(delta(1, 'and after'));
    turn!.say({ attempt: 1, n: 2, body: { type: 'ended', outcome: finished('before and after') } });
    const text = await response.text();
    expect(text).toContain('and after');
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
    await stopping;
    expect(house.cancelled).not.toContain(turn!.ticket.turn);
  }, 20_000);
});
