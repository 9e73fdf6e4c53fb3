import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { unavailable } from '@skillgate/contracts/refusal';
import type { GrantClaims } from '@skillgate/contracts/tokens';
import { stderrLog } from '@skillgate/wire/wire-log';
import { z } from 'zod';
import { type Desk, answerCall } from './answer-call.js';
import { CallLedger } from './call-ledger.js';
import { defineExecutor } from './define-executor.js';
import { defineTool } from './define-tool.js';
import { Slots } from './slots.js';
import { FakeArtifacts } from './try-tool.js';

const claims = {
  aud: 'lab',
  typ: 'grant',
  account: 'a',
  user: 'u',
  chat: 'c',
  turn: 't',
  tools: { lab_try: 'x' },
  jti: 'j',
} as unknown as GrantClaims;
const silent = { grant: () => {}, replayed: () => {} };

function openDesk(execute: (signal: AbortSignal) => Promise<unknown>): Desk {
  const tool = defineTool({
    name: 'lab_try',
    profile: 'docs',
    effect: 'write',
    description: 'Tries.',
    input: z.strictObject({}),
    timeoutMs: 5_000,
    execute: (_input, { signal }) => execute(signal),
  });
  return {
    executor: defineExecutor({ name: 'lab', version: '1.0.0', tools: [tool] }),
    verify: async () => claims,
    newestEpoch: () => 0,
    ledger: new CallLedger(),
    shared: { claim: async () => ({ record: async () => undefined }) },
    slots: new Slots(1),
    openContext: ({ callId }, _claims, signal) => ({
      ...{ account: 'a', user: 'u', chat: 'c', turn: 't', callId, signal },
      ...{ artifacts: new FakeArtifacts(), progress: () => {}, log: stderrLog },
      credential: () => Promise.reject(new Error('none here')),
    }),
  };
}
const callOf = (stop: AbortController) => ({
  tool: 'lab_try',
  arguments: {},
  callId: randomUUID(),
  turnId: 't',
  grant: 'g',
  signal: stop.signal,
  deadline: Infinity,
});

describe('a call that is stopped', () => {
  it('while it waits in line did nothing, and may be repeated', async () => {
    let finish = (): void => {};
    const desk = openDesk(() => new Promise<void>((resolve) => (finish = resolve)));
    const first = answerCall(desk, callOf(new AbortController()), silent);
    const stop = new AbortController();
    const waiting = answerCall(desk, callOf(stop), silent);
    setImmediate(() => stop.abort(unavailable('deadline-passed', 'Too late')));
    await expect(waiting).rejects.toMatchObject({ kind: 'unavailable', slug: 'deadline-passed' });
    finish();
    await first;
  });

  it('in a write that does not listen is answered with the doubt, and its late result is kept', async () => {
    let finish = (_content: string): void => {};
    const desk = openDesk(() => new Promise((resolve) => (finish = resolve)));
    const stop = new AbortController();
    const call = callOf(stop);
    const answered = answerCall(desk, call, silent);
    setImmediate(() => stop.abort(unavailable('cancelled', 'Cancelled')));
    await expect(answered).rejects.toMatchObject({ kind: 'refusal', slug: 'cancelled' });
    finish('late');
    expect(await answerCall(desk, { ...call, signal: new AbortController().signal }, silent)).toMatchObject({ content: 'late' });
  });

  it('in a tool that listens and still ends well is answered with its result', async () => {
    const desk = openDesk((signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('half of it'))));
    const stop = new AbortController();
    const answered = answerCall(desk, callOf(stop), silent);
    setImmediate(() => stop.abort(unavailable('deadline-passed', 'Too late')));
    expect(await answered).toMatchObject({ content: 'half of it' });
  });
});
