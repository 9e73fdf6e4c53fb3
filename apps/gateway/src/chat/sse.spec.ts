import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { EventStream, comment, dataLine } from './sse.js';

/** As much of a response as a stream uses; nobody reads it unless the test does. */
function response(): { pipe: PassThrough; asResponse: ServerResponse } {
  const pipe = Object.assign(new PassThrough({ highWaterMark: 64 }), { writeHead: () => undefined, flushHeaders: () => undefined });
  return { pipe, asResponse: pipe as unknown as ServerResponse };
}

const settledWithin = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, ms, false))]);

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

  it('keeps a comment on one line, so that no message can pose as an event', () => {
    expect(comment('working\r\n\r\ndata: {"fake":true}')).toBe(': working data: {"fake":true}\n\n');
  });

  it('writes an event with its id', () => {
    expect(dataLine({ a: 'x\ny' }, '1.2')).toBe('id: 1.2\ndata: {"a":"x\\ny"}\n\n');
  });
});
