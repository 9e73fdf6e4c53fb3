import { describe, expect, it, jest } from '@jest/globals';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { TurnMessage, TurnOutcome } from '@skillgate/contracts/turn-stream';
import { followTurn, type FollowOptions, type JournalEntry } from './follow-turn.js';
import { TurnQueue } from './turn-queue.js';
import { restartMark } from './turn-reader.js';

const outcome: TurnOutcome = {
  status: 'finished',
  answer: 'Hello world',
  finishReason: 'stop',
  error: null,
  artifacts: [],
  usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0 },
};
const delta = (n: number, text: string): TurnMessage => ({ attempt: 1, n, body: { type: 'delta', text } });
const running: JournalEntry = { status: 'running', outcome: null };
const over: JournalEntry = { status: 'finished', outcome };

function follow(queue: TurnQueue, options: Partial<FollowOptions> = {}) {
  const ask = jest.fn(options.ask ?? (async () => running));
  const recall = jest.fn(options.recall ?? (async () => null));
  const given: FollowOptions = {
    queue,
    onJournalError: () => undefined,
    connectedSince: () => 1,
    silenceMs: 20,
    lostMs: 1000,
    limitMs: 1000,
    ...options,
    ask,
    recall,
  };
  return { events: followTurn(given), ask, recall };
}

async function textOf(events: ReturnType<typeof followTurn>): Promise<string> {
  let text = '';
  for await (const event of events) if (event.type === 'text') text += event.text;
  return text;
}

describe('following a turn', () => {
  it('asks nobody while the stream is whole', async () => {
    const queue = new TurnQueue();
    const { events, ask } = follow(queue);
    queue.push(delta(0, 'Hello '));
    queue.push(delta(1, 'world'));
    queue.push({ attempt: 1, n: 2, body: { type: 'ended', outcome } });
    expect(await textOf(events)).toBe('Hello world');
    expect(ask).not.toHaveBeenCalled();
  });

  it('finishes from the journal when the stream falls silent, with the missing suffix alone', async () => {
    const queue = new TurnQueue();
    const { events } = follow(queue, { ask: async () => over });
    queue.push(delta(0, 'Hello '));
    expect(await textOf(events)).toBe('Hello world');
  });

  it('goes on waiting while the journal says that the turn runs', async () => {
    const queue = new TurnQueue();
    const answers = [running, running, over];
    const { events, ask } = follow(queue, { ask: async () => answers.shift() ?? over });
    expect(await textOf(events)).toBe('Hello world');
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('asks the journal at once when a number is missing', async () => {
    const queue = new TurnQueue();
    const { events, ask } = follow(queue, { ask: async () => over, silenceMs: 10_000 });
    queue.push(delta(0, 'Hello '));
    queue.push(delta(2, 'x'));
    expect(await textOf(events)).toBe('Hello world');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('fills a gap from the stream, asked once, and goes on live without the journal', async () => {
    const queue = new TurnQueue();
    const recall = async () => [delta(1, 'wo'), delta(2, 'rl')];
    const following = follow(queue, { recall, silenceMs: 10_000 });
    queue.push(delta(0, 'Hello '));
    queue.push(delta(2, 'rl'));
    queue.push(delta(3, 'd'));
    queue.push({ attempt: 1, n: 4, body: { type: 'ended', outcome } });
    expect(await textOf(following.events)).toBe('Hello world');
    expect(following.recall.mock.calls).toEqual([[{ attempt: 1, n: 0 }]]);
    expect(following.ask).not.toHaveBeenCalled();
  });

  it('asks the journal once and no stream again when the stream does not have what is missing', async () => {
    const queue = new TurnQueue();
    const following = follow(queue, { recall: async () => [], silenceMs: 10_000 });
    for (const n of [0, 2, 3, 5, 6]) queue.push(delta(n, n === 0 ? 'Hello ' : 'x'));
    queue.push({ attempt: 1, n: 7, body: { type: 'ended', outcome } });
    expect(await textOf(following.events)).toBe('Hello world');
    expect(following.recall).toHaveBeenCalledTimes(1);
    expect(following.ask).toHaveBeenCalledTimes(1);
  });

  it('reads a new attempt that began unheard from its beginning', async () => {
    const queue = new TurnQueue();
    const second = (n: number, text: string): TurnMessage => ({ attempt: 2, n, body: { type: 'delta', text } });
    const following = follow(queue, { recall: async () => [delta(1, 'old'), second(0, 'Hello '), second(1, 'world')], silenceMs: 10_000 });
    queue.push(delta(0, 'Hel'));
    queue.push(second(1, 'world'));
    queue.push(delta(2, 'late'));
    queue.push({ attempt: 2, n: 2, body: { type: 'ended', outcome } });
    expect(await textOf(following.events)).toBe(`Hel${restartMark}Hello world`);
    expect(following.ask).not.toHaveBeenCalled();
  });

  it('reads after a reconnection what the stream has, before anything new comes', async () => {
    const queue = new TurnQueue();
    let since = 1;
    const recall = async () => [delta(1, 'world'), { attempt: 1, n: 2, body: { type: 'ended' as const, outcome } }];
    const { events, ask } = follow(queue, { recall, silenceMs: 30, connectedSince: () => since });
    queue.push(delta(0, 'Hello '));
    const text = textOf(events);
    await new Promise((resolve) => setTimeout(resolve, 5));
    since = 2;
    expect(await text).toBe('Hello world');
    expect(ask).not.toHaveBeenCalled();
  });

  it('asks the journal after a reconnection, since messages may be lost', async () => {
    const queue = new TurnQueue();
    let since = 1;
    const { events, ask } = follow(queue, { ask: async () => over, silenceMs: 10_000, connectedSince: () => since });
    queue.push(delta(0, 'Hello '));
    const text = textOf(events);
    await new Promise((resolve) => setTimeout(resolve, 5));
    since = 2;
    queue.push(delta(1, 'wo'));
    expect(await text).toBe('Hello world');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('survives a journal that cannot be reached for a while, and says so to the log', async () => {
    const queue = new TurnQueue();
    const onJournalError = jest.fn();
    let asked = 0;
    const ask = async () => {
      if (++asked < 3) throw unavailable('no-responder', 'away');
      return over;
    };
    expect(await textOf(follow(queue, { ask, onJournalError }).events)).toBe('Hello world');
    expect(onJournalError).toHaveBeenCalledTimes(2);
  });

  it('gives up with turn-lost when stream and journal are silent for too long', async () => {
    const ask = async () => {
      throw unavailable('no-responder', 'away');
    };
    await expect(textOf(follow(new TurnQueue(), { ask, lostMs: 60 }).events)).rejects.toMatchObject({
      kind: 'unavailable',
      slug: 'turn-lost',
    });
  });

  it('gives up with turn-too-long when the turn never ends', async () => {
    await expect(textOf(follow(new TurnQueue(), { limitMs: 60 }).events)).rejects.toMatchObject({ slug: 'turn-too-long' });
  });

  it('ends with the error when the journal does not know the turn', async () => {
    const ask = async () => {
      throw refuse('unknown-turn', 'none');
    };
    await expect(textOf(follow(new TurnQueue(), { ask }).events)).rejects.toMatchObject({ slug: 'unknown-turn' });
  });

  it('stops at once when the queue is closed', async () => {
    const queue = new TurnQueue();
    const { events, ask } = follow(queue, { silenceMs: 10_000 });
    setTimeout(() => queue.close(), 5);
    expect(await textOf(events)).toBe('');
    expect(ask).not.toHaveBeenCalled();
  });

  it('makes up for what was dropped last from the stream, although nothing comes behind it', async () => {
    const queue = new TurnQueue();
    const all = Array.from({ length: 1000 }, (_, n) => delta(n, `${n} `));
    for (const message of all) queue.push(message);
    const { events, ask, recall } = follow(queue, { recall: async (after) => all.slice(after!.n + 1), silenceMs: 10_000 });
    const answer = all.map((_, n) => `${n} `).join('');
    let text = '';
    for await (const event of events) {
      if (event.type === 'text') text += event.text;
      if (text === answer) break;
    }
    expect(recall).toHaveBeenCalledTimes(1);
    expect(ask).not.toHaveBeenCalled();
  });

  it('drops deltas of a client that does not read, and makes up for them from the outcome', async () => {
    const queue = new TurnQueue();
    const answer = Array.from({ length: 1000 }, (_, n) => `${n} `).join('');
    for (let n = 0; n < 1000; n++) queue.push(delta(n, `${n} `));
    queue.push({ attempt: 1, n: 1000, body: { type: 'ended', outcome: { ...outcome, answer } } });
    let text = '';
    let pieces = 0;
    for await (const event of follow(queue).events) {
      if (event.type !== 'text') continue;
      text += event.text;
      pieces += 1;
    }
    expect(text).toBe(answer);
    expect(pieces).toBeLessThan(600); // the rest came as one
  });
});
