import { describe, expect, it } from '@jest/globals';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { ToolEffect } from '@skillgate/contracts/words';
import { stderrLog } from '@skillgate/wire/wire-log';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { runTool } from './run-tool.js';
import { Slots } from './slots.js';
import { stopSignal } from './stop-signal.js';
import type { ToolContext } from './tool-context.js';
import { FakeArtifacts } from './try-tool.js';

interface Trial {
  effect?: ToolEffect;
  execute?: (context: ToolContext) => Promise<unknown>;
  slots?: Slots;
  deadline?: number;
  signal?: AbortSignal;
}

async function run({
  effect = 'write',
  execute = async () => 'done',
  slots = new Slots(1),
  deadline,
  signal = new AbortController().signal,
}: Trial) {
  let entered = false;
  const tool = defineTool({
    name: 'lab_try',
    profile: 'docs',
    effect,
    description: 'Tries.',
    input: z.strictObject({}),
    timeoutMs: 1_000,
    execute: (_input, context) => ((entered = true), execute(context)),
  });
  const stop = stopSignal(tool, signal, deadline);
  const who = { account: 'a', user: 'u', chat: 'c', turn: 't', callId: 'id' };
  const context = {
    ...who,
    signal: stop.signal,
    artifacts: new FakeArtifacts(),
    credential: () => Promise.reject(new Error('none here')),
    progress: () => {},
    log: { ...stderrLog, error: () => {} },
  };
  const outcome = await runTool(tool, {}, context, slots, stop);
  stop.clear();
  return { outcome, entered };
}

/** Throws what a library throws when its signal fires. */
const abortedBy = (controller: AbortController, thrown: () => unknown) => async () => {
  controller.abort(unavailable('cancelled', 'The call was cancelled'));
  throw thrown();
};

describe('running a tool', () => {
  it('does not enter it when the executor is full', async () => {
    const slots = new Slots(0);
    expect(await run({ slots })).toMatchObject({
      entered: false,
      outcome: { started: false, error: { kind: 'unavailable', slug: 'executor-busy' } },
    });
  });

  it('does not enter it behind the deadline, even when no timer has fired yet', async () => {
    const { outcome, entered } = await run({ deadline: Date.now() - 1 });
    expect(entered).toBe(false);
    expect(outcome).toMatchObject({ started: false, error: { kind: 'unavailable', slug: 'deadline-passed' } });
  });

  it('gives its slot back, whatever happened', async () => {
    const slots = new Slots(1);
    for (const trial of [{ deadline: 1 }, { execute: async () => Promise.reject(new Error('broke')) }, {}]) await run({ ...trial, slots });
    expect((await run({ slots })).outcome).toMatchObject({ result: { content: 'done' } });
  });

  it.each<[ToolEffect, string]>([
    ['read', 'unavailable'],
    ['write', 'refusal'],
    ['external', 'refusal'],
  ])('answers a %s that was stopped on the way with %s, so that only reads are repeated', async (effect, kind) => {
    const stop = new AbortController();
    const { outcome } = await run({
      effect,
      signal: stop.signal,
      execute: abortedBy(stop, () => new DOMException('Aborted', 'AbortError')),
    });
    expect(outcome).toMatchObject({ started: true, error: { kind, slug: 'cancelled' } });
  });

  it('does not let an error of a stopped write pass for "try again"', async () => {
    const stop = new AbortController();
    const { outcome } = await run({
      signal: stop.signal,
      execute: abortedBy(stop, () => unavailable('cancelled', 'The upload was cancelled')),
    });
    expect(outcome.error).toMatchObject({ kind: 'refusal', message: expect.stringContaining('look before you repeat it') });
  });

  it('lets a refusal that the tool had reached stand', async () => {
    const stop = new AbortController();
    const { outcome } = await run({ signal: stop.signal, execute: abortedBy(stop, () => refuse('lab-closed', 'Closed.')) });
    expect(outcome.error).toMatchObject({ slug: 'lab-closed' });
  });

  it('lists the files that the tool wrote', async () => {
    const { outcome } = await run({
      execute: async ({ artifacts }) => (await artifacts.write({ name: 'a', mime: 'text/plain', bytes: Buffer.from('x') })).id,
    });
    expect(outcome.result?.artifacts).toEqual([{ id: outcome.result?.content, name: 'a', mime: 'text/plain', bytes: 1 }]);
  });
});
