import { refuse } from '@skillgate/contracts/refusal';
import { z } from 'zod';
import { defineExecutor } from '../src/define-executor.js';
import { defineTool } from '../src/define-tool.js';

/** What happened in the lab since the last `reset`. */
export const seen: { runs: number; running: number; aborted: unknown; doorShut: boolean } = { runs: 0, running: 0, aborted: undefined, doorShut: false };
const holding: (() => void)[] = [];

export function reset(): void {
  Object.assign(seen, { runs: 0, aborted: undefined, doorShut: false });
}
/** Lets every tool go on that holds. */
export const release = () => holding.splice(0).forEach((resolve) => resolve());
const held = () => new Promise<void>((resolve) => holding.push(resolve));

const usual = { profile: 'docs', effect: 'write' as const, description: 'For these tests.', timeoutMs: 5_000, input: z.strictObject({}) };

/** An executor whose tools count, hold, break and answer too much. */
export const lab = defineExecutor({
  name: 'lab',
  version: '1.0.0',
  concurrency: 3,
  health: {
    door: async () => {
      if (seen.doorShut) throw new Error('the door of the lab is shut');
    },
  },
  tools: [
    defineTool({
      ...usual,
      name: 'lab_count',
      input: z.strictObject({ by: z.number().int().default(1) }),
      async execute({ by }, { account, turn, callId, progress }) {
        seen.runs += by;
        progress('counting', 0.5);
        return { runs: seen.runs, account, turn, callId };
      },
    }),
    defineTool({
      ...usual,
      name: 'lab_hold',
      async execute() {
        seen.runs += 1;
        seen.running += 1;
        await held();
        seen.running -= 1;
        return { runs: seen.runs };
      },
    }),
    defineTool({
      ...usual,
      name: 'lab_listen',
      effect: 'read',
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          seen.runs += 1;
          signal.addEventListener('abort', () => {
            seen.aborted = signal.reason;
            reject(signal.reason as Error);
          });
        }),
    }),
    defineTool({ ...usual, name: 'lab_slow', timeoutMs: 300, execute: async () => held() }),
    defineTool({
      ...usual,
      name: 'lab_big',
      effect: 'read',
      input: z.strictObject({ bytes: z.number() }),
      execute: async ({ bytes }) => 'x'.repeat(bytes),
    }),
    defineTool({
      ...usual,
      name: 'lab_circle',
      async execute() {
        const me: Record<string, unknown> = {};
        return Object.assign(me, { me });
      },
    }),
    defineTool({
      ...usual,
      name: 'lab_wrong',
      output: z.object({ n: z.number() }),
      execute: async () => ({ n: 'one' as unknown as number }),
    }),
    defineTool({
      ...usual,
      name: 'lab_no',
      async execute() {
        throw refuse('lab-closed', 'The lab is closed. Come back tomorrow.', { until: 'tomorrow' });
      },
    }),
    defineTool({
      ...usual,
      name: 'lab_break',
      effect: 'read',
      async execute() {
        seen.runs += 1;
        throw new Error('password=hunter2');
      },
    }),
    // Does with a credential what a tool should not: tells it to everybody.
    defineTool({
      ...usual,
      name: 'lab_leak',
      effect: 'read',
      input: z.strictObject({ how: z.enum(['result', 'refusal', 'break', 'rejected']) }),
      async execute({ how }, { credential, progress, log }) {
        const [mail, same] = await Promise.all([credential('gmail'), credential('gmail')]);
        const { accessToken } = how === 'rejected' ? await credential('gmail', { rejected: mail }) : mail;
        progress(`signed in with ${accessToken}`);
        log.error({ sent: { header: `x ${accessToken}` } }, `sent ${accessToken} and ${mail}`);
        if (how === 'refusal') throw refuse('lab-denied', `Denied for ${accessToken}.`, { sent: accessToken });
        if (how === 'break') throw new Error(`GET /?token=${accessToken}`, { cause: new Error(accessToken) });
        return { mail, accessToken, same: mail === same };
      },
    }),
    defineTool({
      ...usual,
      name: 'lab_copy',
      input: z.strictObject({ artifact: z.string() }),
      async execute({ artifact }, { artifacts }) {
        const { name, mime, bytes } = await artifacts.read(artifact);
        return artifacts.write({ name: `copy of ${name}`, mime, bytes });
      },
    }),
  ],
});
