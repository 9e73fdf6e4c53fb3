import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { defineExecutor } from '../src/define-executor.js';
import { defineTool } from '../src/define-tool.js';

const usual = { profile: 'docs', description: 'For the conformance suite.', timeoutMs: 20_000 };
let runs = 0;

/** With a tool for each call of a plan. */
export const modelExecutor = defineExecutor({
  name: 'model',
  version: '1.2.3',
  tools: [
    defineTool({
      ...usual,
      name: 'model_count',
      effect: 'write',
      input: z.strictObject({ by: z.number() }),
      async execute({ by }, { progress }) {
        progress('counting', 0.5);
        runs += by;
        return { runs };
      },
    }),
    defineTool({
      ...usual,
      name: 'model_wait',
      effect: 'read',
      input: z.strictObject({ ms: z.number() }),
      execute: async ({ ms }, { signal }) => pause(ms, 'waited', { signal }),
    }),
    defineTool({ ...usual, name: 'model_large', effect: 'read', input: z.strictObject({}), execute: async () => 'x'.repeat(300_000) }),
  ],
});

export const modelPlan = {
  call: { tool: 'model_count', arguments: { by: 1 } },
  other: { by: 2 },
  slow: { tool: 'model_wait', arguments: { ms: 3_000 } },
  large: { tool: 'model_large', arguments: {} },
};
