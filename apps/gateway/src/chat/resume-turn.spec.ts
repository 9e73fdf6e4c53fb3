import { describe, expect, it } from '@jest/globals';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import { finished, people } from '../gateway-house.fixture.js';
import { delta, ended } from './chat.fixture.js';
import { resumeTurn } from './resume-turn.js';
import type { TurnHouse } from './turn-house.js';
import type { TurnEvent } from './turn-reader.js';

const turn = crypto.randomUUID();

/** A wire that notes what is asked of it, in order. */
function house(journal: () => Promise<unknown>, ready = Promise.resolve()) {
  const events: string[] = [];
  const note = (what: string) => void events.push(what);
  const wire = {
    call: async () => {
      note('journal');
      return journal();
    },
    subscribeTurn: () => {
      note('subscribe');
      return { ready: ready.then(() => note('ready')), close: () => note('close') };
    },
    attendTurn: () => ({ ready: Promise.resolve(), close: () => note('gone') }),
    readTurn: async () => {
      note('read');
      return [delta(0, 'Hello'), ended(1, 'Hello')];
    },
    status: () => ({ since: 1 }),
  };
  const log = { info: () => undefined, warn: () => undefined };
  const parts = { wire, log, signer: { sign: async () => 'a.b.c' }, config: { SKILLGATE_CANCEL_GRACE_MS: 0 }, queues: new Set() };
  return { events, parts: parts as unknown as TurnHouse };
}

const typesOf = async (events: AsyncIterable<TurnEvent>): Promise<string[]> => {
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  return types;
};

describe('a turn that is resumed', () => {
  it('is listened to before the stream is read: what is said in between is in one of the two', async () => {
    const slow = new Promise<void>((resolve) => setTimeout(resolve, 20));
    const { events, parts } = house(async () => ({ chat: 'c', model: 'm', outcome: null }), slow);
    const resumed = await resumeTurn(parts, people['user']!, turn, null);
    expect(await typesOf(resumed.events)).toEqual(['begun', 'text', 'ended']);
    expect(events).toEqual(['journal', 'subscribe', 'ready', 'read', 'close', 'gone']);
    expect(parts.queues.size).toBe(0);
  });

  it('is not listened to when it is over', async () => {
    const { events, parts } = house(async () => ({ chat: 'c', model: 'm', outcome: finished('Hello') }));
    const resumed = await resumeTurn(parts, people['user']!, turn, { attempt: 1, n: 0 });
    expect(await typesOf(resumed.events)).toEqual(['ended']);
    expect(events).toEqual(['journal', 'read']);
  });

  it('shows nothing of itself to whom the journal does not know it', async () => {
    const { events, parts } = house(async () => {
      throw refuse('unknown-turn', 'none');
    });
    await expect(resumeTurn(parts, people['user']!, turn, null)).rejects.toMatchObject({ slug: 'unknown-turn' });
    expect(events).toEqual(['journal']);
  });

  it('leaves nothing behind when the broker cannot be reached', async () => {
    const lost = Promise.reject(unavailable('wire-disconnected', 'away'));
    const { events, parts } = house(async () => ({ chat: 'c', model: 'm', outcome: null }), lost);
    await expect(resumeTurn(parts, people['user']!, turn, null)).rejects.toMatchObject({ slug: 'wire-disconnected' });
    expect(events).toEqual(['journal', 'subscribe', 'close', 'gone']);
    expect(parts.queues.size).toBe(0);
  });
});
