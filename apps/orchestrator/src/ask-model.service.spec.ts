import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Script } from '@skillgate/testing/script';
import { type ScriptedModel, startScriptedModel } from '@skillgate/testing/scripted-model';
import { askModel, type ModelOptions } from './ask-model.js';
import { cancelledByUser } from './keep-lease.js';
import { modelClient } from './model-client.js';

const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello?' }], stream: true as const, stream_options: { include_usage: true } };

describe('a call of a model', () => {
  // Before the first client, which keeps what it prints with.
  const printed = (['error', 'warn', 'info', 'log'] as const).map((level) => jest.spyOn(console, level).mockImplementation(() => undefined));
  afterAll(() => printed.forEach((spy) => spy.mockRestore()));
  let model: ScriptedModel;
  afterEach(() => model.close());

  async function ask(script: Script, change: Partial<ModelOptions> = {}, baseURL?: string) {
    model = await startScriptedModel(script);
    const client = modelClient({ SKILLGATE_MODEL_BASE_URL: baseURL ?? model.url, SKILLGATE_MODEL_API_KEY: 'none' });
    const heard: string[] = [];
    const options: ModelOptions = {
      signal: new AbortController().signal,
      stallMs: 5_000,
      onText: (text) => void heard.push(text),
      ...change,
    };
    const answer = await askModel(client, request, options).catch((error: unknown) => error);
    return { answer, heard, asked: model.requests.length };
  }

  it('streams its text as it comes, and ends with all of it, the finish and the usage', async () => {
    const { answer, heard } = await ask([{ text: ['Good ', 'day'], usage: { prompt: 9, completion: 2, cached: 4 } }]);
    expect(answer).toEqual({ text: 'Good day', calls: [], problems: [], finish: 'stop', usage: { inputTokens: 9, outputTokens: 2, cachedTokens: 4 } });
    expect(heard).toEqual(['Good ', 'day']);
    model.assertConsumed();
  });

  it('knows no usage when the provider reports none', async () => {
    expect((await ask([{ text: 'Hi', usage: null }])).answer).toMatchObject({ text: 'Hi', usage: null });
  });

  it.each([
    ['a half report', { prompt: 5, completion: undefined }],
    ['a report in fractions', { prompt: 5.5, completion: 1 }],
    ['a report below zero', { prompt: -1, completion: 1 }],
  ])('takes %s of usage for none', async (_, usage) => {
    expect((await ask([{ text: 'Hi', usage: usage as never }])).answer).toMatchObject({ usage: null });
  });

  it('may say nothing; whoever asked decides what that means', async () => {
    expect((await ask([{ text: '' }])).answer).toMatchObject({ text: '', calls: [], finish: 'stop' });
  });

  describe('that fails before its first word', () => {
    it('tells for how long the endpoint asks to wait', async () => {
      const { answer, asked } = await ask([{ error: { status: 429, retryAfterSeconds: 60 } }]);
      expect(answer).toMatchObject({ kind: 'unavailable', slug: 'model-overloaded', retryAfterMs: 60_000 });
      expect(asked).toBe(1);
    });

    it.each([
      ['is overloaded', { error: { status: 503 } }, 'model-overloaded'],
      ['hangs up', { cut: 0 }, 'model-unreachable'],
    ])('is tried once when the endpoint %s: whoever asked decides on more', async (_, step, slug) => {
      const { answer, asked } = await ask([step]);
      expect(answer).toMatchObject({ kind: 'unavailable', slug });
      expect(asked).toBe(1);
    });

    it('is unreachable when nobody listens', async () => {
      expect((await ask([], {}, 'http://127.0.0.1:9/v1')).answer).toMatchObject({ kind: 'unavailable', slug: 'model-unreachable' });
    });

    it.each([
      [400, undefined, 'model-refused-request'],
      [401, undefined, 'model-refused-request'],
      [404, undefined, 'model-refused-request'],
      [400, 'context_length_exceeded', 'model-context-exceeded'],
    ])('is not made again after a %i (%s), and the vendor\'s words stay out of ours', async (status, code, slug) => {
      const { answer, asked } = await ask([{ error: { status, code, message: 'secret words' } }]);
      expect(answer).toMatchObject({ kind: 'refusal', slug });
      expect((answer as Error).message).not.toContain('secret words');
      expect(asked).toBe(1);
    });
  });

  describe('that breaks off', () => {
    it('in mid-answer is cut, keeps what was heard, and is not made again', async () => {
      const { answer, heard, asked } = await ask([{ text: ['One ', 'two ', 'three'], cut: 3 }]);
      expect(answer).toMatchObject({ kind: 'unavailable', slug: 'model-cut' });
      expect(heard).toEqual(['One ', 'two ']);
      expect(asked).toBe(1);
    });

    it.each([
      ['an error in the stream is told as one', 'data: {"error":{"message":"secret words","type":"server_error"}}\n\n', { slug: 'model-overloaded' }],
      ['something that is no JSON is cut', 'data: {"choices":[{"ind\n\n', { slug: 'model-cut' }],
      ['an end without a finish is known as cut', 'data: {"choices":[{"index":0,"delta":{"content":"two"}}]}\n\ndata: [DONE]\n\n', { finish: 'cut', text: 'One two' }],
    ])('with %s', async (_, bytes, expected) => {
      const server = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: {"choices":[{"index":0,"delta":{"content":"One "}}]}\n\n${bytes}`);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { answer, heard } = await ask([], {}, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
      server.close();
      expect(answer).toMatchObject(expected);
      expect(heard[0]).toBe('One ');
      expect(String((answer as Error).message)).not.toContain('secret words');
      expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]); // the client would print what it could not read
    });

    it('by silence is stalled, and its request is given up', async () => {
      let release = () => undefined as void;
      const hold = () => new Promise<void>((resolve) => (release = resolve));
      const { answer, heard } = await ask([{ text: ['One ', hold, 'two'] }], { stallMs: 200 });
      expect(answer).toMatchObject({ kind: 'unavailable', slug: 'model-stalled' });
      expect(heard).toEqual(['One ']);
      for (const until = Date.now() + 2_000; !model.requests[0]?.abandoned && Date.now() < until; ) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(model.requests[0]?.abandoned).toBe(true);
      release();
    });

    it('by silence before its first byte is stalled too', async () => {
      expect((await ask([{ delayMs: 600, text: 'late' }], { stallMs: 200 })).answer).toMatchObject({ slug: 'model-stalled' });
    });

    it('slowly is not stalled as long as something comes', async () => {
      const slowly = () => new Promise((resolve) => setTimeout(resolve, 120));
      expect((await ask([{ text: ['a', slowly, 'b', slowly, 'c'] }], { stallMs: 200 })).answer).toMatchObject({ text: 'abc' });
    });
  });

  describe('that nobody wants any more', () => {
    it('stops its request at once and fails with the reason', async () => {
      const abort = new AbortController();
      let release = () => undefined as void;
      const hold = () => {
        setTimeout(() => abort.abort(cancelledByUser()), 20);
        return new Promise<void>((resolve) => (release = resolve));
      };
      const { answer, heard } = await ask([{ text: ['One ', hold, 'two'] }], { signal: abort.signal });
      expect(answer).toMatchObject({ slug: 'turn-cancelled' });
      expect(heard).toEqual(['One ']);
      for (const until = Date.now() + 2_000; !model.requests[0]?.abandoned && Date.now() < until; ) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(model.requests[0]?.abandoned).toBe(true);
      release();
    });

    it('is not made when it was stopped before', async () => {
      const { answer, asked } = await ask([], { signal: AbortSignal.abort(cancelledByUser()) });
      expect(answer).toMatchObject({ slug: 'turn-cancelled' });
      expect(asked).toBe(0);
    });

    it('stops when its listener cannot take more, with the listener\'s reason', async () => {
      const { answer } = await ask([{ text: ['One ', () => new Promise((resolve) => setTimeout(resolve, 50)), 'two'] }], {
        onText: () => {
          throw cancelledByUser();
        },
      });
      expect(answer).toMatchObject({ slug: 'turn-cancelled' });
    });

    it('leaves no timer and no listener behind', async () => {
      const abort = new AbortController();
      const cleared = jest.spyOn(globalThis, 'clearTimeout');
      const set = jest.spyOn(globalThis, 'setTimeout');
      await ask([{ text: 'Hi' }], { signal: abort.signal, stallMs: 61_234 });
      const stalls = set.mock.results.filter((_, at) => set.mock.calls[at]?.[1] === 61_234).map(({ value }) => value as unknown);
      expect(stalls).toHaveLength(1);
      expect(cleared.mock.calls.map(([timer]) => timer as unknown)).toContain(stalls[0]);
      cleared.mockRestore();
      set.mockRestore();
    });
  });

  describe('that asks for tools', () => {
    it('gives them ids of ours, in the order of the calls', async () => {
      const { answer } = await ask([{ text: 'Let me see.', toolCalls: [{ name: 'a', id: 'same', arguments: { x: 1 } }, { name: 'b', id: 'other' }] }]);
      expect(answer).toMatchObject({ text: 'Let me see.', finish: 'tool_calls', calls: [{ name: 'a', arguments: '{"x":1}' }, { name: 'b', arguments: '{}' }] });
      const ids = (answer as { calls: { id: string }[] }).calls.map(({ id }) => id);
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) expect(id).toMatch(/^call_[0-9a-f]{24}$/);
    });

    it.each([
      ['always numbers them 0', { index: 0 as const }],
      ['does not number them', { index: 'missing' as const }],
    ])('understands a server that %s', async (_, place) => {
      const { answer } = await ask([
        { toolCalls: [{ name: 'a', arguments: { x: 1 }, pieces: ['{"x"', ':1}'], ...place }, { name: 'b', arguments: { y: 2 }, pieces: 'whole', ...place }] },
      ]);
      expect(answer).toMatchObject({ calls: [{ name: 'a', arguments: '{"x":1}' }, { name: 'b', arguments: '{"y":2}' }] });
    });

    it('drops pieces that belong to no call, and says so', async () => {
      const stray = { tool_calls: [{ index: 3, function: { arguments: '{"lost' } }] };
      const { answer } = await ask([{ deltas: [stray, { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'a', arguments: '{}' } }] }] }]);
      expect(answer).toMatchObject({ calls: [{ name: 'a' }], problems: [expect.stringContaining('came before any call')] });
    });

    it('is cut when all that came of its calls is broken: it must not pass for an answer', async () => {
      const { answer } = await ask([{ text: 'Let me see.', deltas: [{ tool_calls: [{ index: 0, function: { arguments: '{"lost' } }] }], finish: 'tool_calls' }]);
      expect(answer).toMatchObject({ kind: 'unavailable', slug: 'model-cut' });
    });

    it('ignores text that is no text', async () => {
      expect((await ask([{ deltas: [{ content: [{ type: 'thinking' }] }, { content: 'Hi' }] }])).answer).toMatchObject({ text: 'Hi' });
    });
  });
});
