import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { EventStream, comment, dataLine, doneLine } from './sse.js';

/** As much of a response as a stream uses; nobody reads it unless the test does. */
function response(): { pipe: PassThrough; asResponse: ServerResponse } {
  const pipe = Object.assign(new PassThrough({ highWaterMark: 64 }), { writeHead: () => undefined, flushHeaders: () => undefined });
  return { pipe, asResponse: pipe as unknown as ServerResponse };
}

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 200 && !holds(); n++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(holds()).toBe(true);
}

const settledWithin = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, ms, false))]);

/** The data of each event, as `SSEDecoder` of openai-python 3.22 makes them: an empty line ends one as soon as an id was seen. */
function asPythonReads(text: string): string[] {
  const events: string[] = [];
  let data: string[] = [];
  let id: string | undefined;
  for (const line of text.split('\n').slice(0, -1)) {
    if (line === '') {
      if (data.length > 0 || id) events.push(data.join('\n'));
      data = [];
    } else if (line.startsWith('id: ')) id = line.slice(4);
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  return events;
}

describe('an event stream', () => {
  it('waits for a client that does not read, and goes on when it does', async () => {
    const { pipe, asResponse } = response();
    const stream = new EventStream(asResponse);
    const writing = stream.write('x'.repeat(200));
    expect(await settledWithin(writing, 30)).toBe(false);
    pipe.resume();
    expect(await settledWithin(writing, 1_000)).toBe(true);
    stream.end();
  });

  it('does not wait for a client that left', async () => {
    const { pipe, asResponse } = response();
    const stream = new EventStream(asResponse);
    const writing = stream.write('x'.repeat(200));
    pipe.destroy();
    expect(await settledWithin(writing, 1_000)).toBe(true);
    expect(await settledWithin(stream.write('more'), 1_000)).toBe(true);
    stream.end();
  });

  it('gives signs of life while nothing is said, and none to a client that has no room for them', async () => {
    const { pipe, asResponse } = response();
    const stream = new EventStream(asResponse, { keepAliveMs: 10 });
    await until(() => pipe.writableLength + pipe.readableLength >= 2 * comment('keep-alive').length);
    expect(String(pipe.read())).toMatch(/^(: keep-alive\n){2,}/);
    await new Promise((resolve) => setTimeout(resolve, 200)); // many more than the pipe has room for
    expect(pipe.readableLength + pipe.writableLength).toBeLessThan(2 * 64 + 2 * comment('keep-alive').length);
    stream.end();
    pipe.resume();
    const after = comment('keep-alive').length;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(pipe.writableLength).toBeLessThan(after);
  });

  it('cuts off a client that takes nothing for too long, and says so', async () => {
    const { pipe, asResponse } = response();
    const stream = new EventStream(asResponse, { stallMs: 30 });
    await expect(stream.write('x'.repeat(200))).rejects.toMatchObject({ kind: 'unavailable', slug: 'client-stalled' });
    expect(pipe.destroyed).toBe(true);
    await stream.write('more'); // to nobody
    stream.end();
  });

  it('does not cut off a client that is slow and reads', async () => {
    const { pipe, asResponse } = response();
    const stream = new EventStream(asResponse, { stallMs: 60 });
    const reading = setInterval(() => pipe.read(), 20);
    for (let n = 0; n < 10; n++) await stream.write('x'.repeat(200));
    clearInterval(reading);
    expect(pipe.destroyed).toBe(false);
    stream.end();
  });

  it('keeps a comment on one line, so that no message can pose as an event', () => {
    expect(comment('working\r\n\r\ndata: {"fake":true}')).toBe(': working data: {"fake":true}\n');
  });

  it('gives the official Python client no event without data, which it could not read', () => {
    const life = comment('keep-alive');
    const text = dataLine({ a: 1 }, '1.0') + comment('working') + life + dataLine({ b: 2 }, '1.1') + life + doneLine;
    expect(asPythonReads(text)).toEqual(['{"a":1}', '{"b":2}', '[DONE]']);
  });

  it('writes an event with its id', () => {
    expect(dataLine({ a: 'x\ny' }, '1.2')).toBe('id: 1.2\ndata: {"a":"x\\ny"}\n\n');
  });
});
