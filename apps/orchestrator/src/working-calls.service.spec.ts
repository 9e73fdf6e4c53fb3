// Proves, on a real NATS server with the house's permissions: a call ends when the registry tells that its executor fell silent.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { executorLeft } from '@skillgate/contracts/events/registry';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { registryEdges } from '@skillgate/contracts/services/registry';
import { streamsOf } from '@skillgate/contracts/streams';
import { type TestNats, withNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import { watchSilence, WorkingCalls } from './working-calls.js';

let nats: TestNats;
let registry: Wire;
const working = new WorkingCalls();

beforeAll(async () => {
  nats = await withNats([orchestratorEdges, registryEdges]);
  registry = await nats.connect('registry');
  await registry.reconcileStreams(streamsOf(registryEdges));
  watchSilence(await nats.connect('orchestrator'), working, { error: () => undefined });
}, 60_000);

afterAll(() => nats?.close());

const left = (executor: string, why: 'silent' | 'leaving') =>
  registry.publishEvent(executorLeft, { executor, why, at: new Date().toISOString() }, { id: randomUUID(), messageId: randomUUID() });

describe('a call in flight', () => {
  it('is given up when its executor fell silent, and goes on when it said goodbye and when another is away', async () => {
    const ended: string[] = [];
    const call = (executor: string) => working.during(randomUUID(), { turn: randomUUID(), executor, publisher: { progress: () => undefined } }, () => new Promise<never>(() => undefined));
    const lost = call('slack').catch((error: unknown) => error);
    call('docs').catch(() => ended.push('docs'));
    await left('docs', 'leaving');
    await left('slack', 'silent');
    expect(await lost).toMatchObject({ kind: 'unavailable', slug: 'executor-away', message: expect.stringContaining('"slack"') });
    expect(ended).toEqual([]);
  });
});
