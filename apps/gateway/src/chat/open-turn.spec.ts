import { describe, expect, it, jest } from '@jest/globals';
import { cancelTurn, startTurn } from '@skillgate/contracts/calls/orchestrator';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import { people } from '../gateway-house.fixture.js';
import { chatRequest } from './chat-request.js';
import { openTurn } from './open-turn.js';
import type { TurnHouse } from './turn-house.js';

const request = chatRequest.parse({ model: 'default', messages: [{ role: 'user', content: 'Hello' }] });

/** A wire that notes what is asked of it, in order. */
function house(answer: () => Promise<unknown>, ready = Promise.resolve()) {
  const events: string[] = [];
  const call = jest.fn(async (contract: unknown) => {
    events.push(contract === startTurn ? 'start' : contract === cancelTurn ? 'cancel' : 'other');
    return contract === startTurn ? answer() : {};
  });
  const subscribeTurn = () => {
    events.push('subscribe');
    return { ready: ready.then(() => void events.push('ready')), close: () => void events.push('close') };
  };
  const attendTurn = () => ({ ready: Promise.resolve(), close: () => void events.push('gone') });
  const parts = {
    ...{ wire: { call, subscribeTurn, attendTurn }, signer: { sign: async () => 'a.b.c' }, log: { info: () => undefined } },
    queues: new Set(),
  };
  return { events, parts: parts as unknown as TurnHouse };
}

describe('a turn that is opened', () => {
  it('is started only when the server has the subscription', async () => {
    const slow = new Promise<void>((resolve) => setTimeout(resolve, 20));
    const { events, parts } = house(async () => ({ chat: 'c', model: 'm' }), slow);
    expect(await openTurn(parts, people['user']!, request)).toMatchObject({ chat: 'c', model: 'm' });
    expect(events).toEqual(['subscribe', 'ready', 'start']);
  });

  it('is listened to no more when it is refused', async () => {
    const { events, parts } = house(async () => {
      throw refuse('turn-in-progress', 'busy');
    });
    await expect(openTurn(parts, people['user']!, request)).rejects.toMatchObject({ slug: 'turn-in-progress' });
    expect(events).toEqual(['subscribe', 'ready', 'start', 'close', 'gone']);
  });

  it('is asked for again under the same id when nobody says that it began', async () => {
    let asked = 0;
    const { events, parts } = house(async () => {
      if ((asked += 1) < 3) throw unavailable('no-responder', 'away');
      return { chat: 'c', model: 'm' };
    });
    expect(await openTurn(parts, people['user']!, request)).toMatchObject({ chat: 'c', model: 'm' });
    expect(events).toEqual(['subscribe', 'ready', 'start', 'start', 'start']);
    const tickets = (parts.wire.call as unknown as { mock: { calls: [unknown, object][] } }).mock.calls.map(([, input]) => input);
    expect(new Set(tickets).size).toBe(1);
  });

  it('is cancelled when nobody knows whether it began', async () => {
    const { events, parts } = house(async () => {
      throw unavailable('deadline-passed', 'late');
    });
    await expect(openTurn(parts, people['user']!, request, { patienceMs: 0 })).rejects.toMatchObject({ slug: 'deadline-passed' });
    expect(events).toEqual(['subscribe', 'ready', 'start', 'close', 'gone', 'cancel']);
  });
});
