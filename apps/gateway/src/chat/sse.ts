import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { unavailable } from '@skillgate/contracts/refusal';

/**
 * A comment: standard clients skip it, proxies see life, people who use curl can read it. No empty line follows: once
 * an id was seen, the official Python client takes each empty line for an event, and fails on its missing data.
 */
export const comment = (text: string): string => `: ${oneLine(text)}\n`;

export const dataLine = (body: unknown, id?: string): string => `${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(body)}\n\n`;

export const doneLine = 'data: [DONE]\n\n';

// A line break would end the comment and let the rest of a message pose as an event (WHATWG HTML, 9.2.6).
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

/** Milliseconds between two signs of life on a silent stream; proxies often cut after 60 s. */
const keepAliveMs = 15_000;

/** Milliseconds without room for a single byte more after which a client counts as gone: it may come back with its last id. */
const stallMs = 300_000;

/** An event stream to one client, written no faster than the client reads, and no longer than it reads at all. */
export class EventStream {
  private readonly keepAlive: NodeJS.Timeout;

  constructor(
    private readonly response: ServerResponse,
    private readonly times: { keepAliveMs?: number; stallMs?: number } = {},
  ) {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    this.keepAlive = setInterval(() => {
      if (!response.writableNeedDrain) response.write(comment('keep-alive'));
    }, times.keepAliveMs ?? keepAliveMs);
  }

  /**
   * Resolves when the client is ready for more, or gone.
   *
   * @throws unavailable `client-stalled` when it took nothing for too long: its connection is cut, since what waits for it is held for as long
   */
  async write(text: string): Promise<void> {
    if (this.response.destroyed || this.response.write(text)) return;
    const gone = new AbortController();
    const stop = () => gone.abort();
    this.response.once('close', stop);
    const patience = this.times.stallMs ?? stallMs;
    let stalled = false;
    const stall = setTimeout(() => {
      stalled = true;
      this.response.destroy();
    }, patience);
    try {
      await once(this.response, 'drain', { signal: gone.signal });
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    } finally {
      clearTimeout(stall);
      this.response.off('close', stop);
    }
    if (stalled) throw unavailable('client-stalled', `The client took nothing for ${patience} ms and was cut off; it may resume from its last id.`);
  }

  end(): void {
    clearInterval(this.keepAlive);
    this.response.end();
  }
}
