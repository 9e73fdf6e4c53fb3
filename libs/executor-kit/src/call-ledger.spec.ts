import { describe, expect, it } from '@jest/globals';
import { HouseError, refuse, unavailable } from '@skillgate/contracts/refusal';
import { CallLedger } from './call-ledger.js';
import { type Outcome, failed } from './outcome.js';

const call = { account: 'a1', callId: 'c1', turn: 't1', tool: 'docs_try', arguments: { x: 1, y: 2 } };
const done = (content: unknown): Outcome => ({ started: true, result: { content, artifacts: [] }, bytes: 10 });
const defect = new HouseError({ kind: 'defect', slug: 'internal', message: 'internal' });

function counting(...outcomes: Outcome[]) {
  const work = async (): Promise<Outcome> => outcomes[work.runs++] ?? done('last');
  work.runs = 0;
  return work;
}

describe('the call ledger', () => {
  it('answers a repeated call with the first result', async () => {
    const ledger = new CallLedger();
    const work = counting(done('first'), done('second'));
    await ledger.once(call, 'write', work).outcome;
    const again = ledger.once({ ...call, arguments: { y: 2, x: 1 } }, 'write', work);
    expect(again.replayed).toBe(true);
    expect(await again.outcome).toEqual(done('first'));
    expect(work.runs).toBe(1);
  });

  it('lets a repeated call wait for the one that still runs', async () => {
    const ledger = new CallLedger();
    const { promise, resolve } = withResolvers<Outcome>();
    const first = ledger.once(call, 'external', () => promise);
    const second = ledger.once(call, 'external', counting());
    resolve(done('slow'));
    expect(await second.outcome).toBe(await first.outcome);
  });

  it.each([
    ['other arguments', { arguments: { x: 2 } }],
    ['another turn', { turn: 't2' }],
    ['another tool', { tool: 'docs_other' }],
  ])('refuses the same id with %s', async (_what, change) => {
    const ledger = new CallLedger();
    await ledger.once(call, 'read', counting()).outcome;
    expect(() => ledger.once({ ...call, ...change }, 'read', counting())).toThrow(expect.objectContaining({ slug: 'call-id-reused' }));
  });

  it('keeps accounts apart: the same id of another account is another call', async () => {
    const ledger = new CallLedger();
    await ledger.once(call, 'write', counting(done('mine'))).outcome;
    expect(await ledger.once({ ...call, account: 'a2' }, 'write', counting(done('theirs'))).outcome).toEqual(done('theirs'));
  });

  it.each<[string, 'read' | 'write' | 'external', Outcome, number]>([
    ['a read that broke', 'read', failed(defect), 2],
    ['a read whose source was away', 'read', failed(unavailable('away', 'Try again.')), 2],
    ['a read that was cancelled', 'read', failed(unavailable('cancelled', 'Stopped.')), 2],
    ['a read that was refused', 'read', failed(refuse('not-a-docx', 'No.')), 1],
    ['a write that broke', 'write', failed(defect), 1],
    ['a send that was cancelled', 'external', failed(refuse('cancelled', 'Stopped.')), 1],
    ['a write that was never entered', 'write', failed(unavailable('executor-busy', 'Later.'), false), 2],
  ])('runs %s as often as is safe', async (_what, effect, outcome, runs) => {
    const ledger = new CallLedger();
    const work = counting(outcome);
    await ledger.once(call, effect, work).outcome;
    await ledger.once(call, effect, work).outcome;
    expect(work.runs).toBe(runs);
  });

  it('forgets the oldest ended calls first when it holds too many, and never one that runs', async () => {
    const ledger = new CallLedger({ calls: 3, bytes: 1_000, ageMs: 1_000 });
    void ledger.once({ ...call, callId: 'running' }, 'write', () => new Promise(() => {}));
    for (const callId of ['one', 'two', 'three', 'four']) await ledger.once({ ...call, callId }, 'write', counting()).outcome;
    expect(ledger.size).toBe(3);
    expect(ledger.once({ ...call, callId: 'running' }, 'write', counting()).replayed).toBe(true);
    expect(ledger.once({ ...call, callId: 'four' }, 'write', counting()).replayed).toBe(true);
    expect(ledger.once({ ...call, callId: 'one' }, 'write', counting()).replayed).toBe(false);
  });

  it('holds no more bytes of results than it may', async () => {
    const ledger = new CallLedger({ calls: 100, bytes: 25, ageMs: 1_000 });
    for (const callId of ['one', 'two', 'three']) await ledger.once({ ...call, callId }, 'write', counting()).outcome;
    expect(ledger.size).toBe(2);
  });

  it('forgets a call after its time', async () => {
    let now = 0;
    const ledger = new CallLedger({ calls: 10, bytes: 1_000, ageMs: 1_000 }, () => now);
    await ledger.once(call, 'write', counting()).outcome;
    now = 1_000;
    expect(ledger.once(call, 'write', counting()).replayed).toBe(true);
    now = 1_001;
    expect(ledger.once(call, 'write', counting()).replayed).toBe(false);
  });
});

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
