import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { EventStream, comment, dataLine, doneLine } from './sse.js';

/** As much of a response as a stream uses; nobody reads it unless the test does. */
function response(): { pipe: PassThrough; asResponse: ServerResponse } {
  const pipe = Object.assign(new PassThrough({ highWaterMark: 64 }), { writeHead: () => undefined, flushHeaders: () => undefined });
  return { pipe, asResponse: pipe as unknown as ServerResponse };
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
