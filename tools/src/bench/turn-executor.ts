import { defineExecutor } from '@skillgate/executor-kit/define-executor';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';

/** What the skill of the bench opens: a read that takes no time, so that what is measured is the way to it and back. */
export const turnExecutor = defineExecutor({
  name: 'bench',
  version: '1.0.0',
  concurrency: 256,
  tools: [
    defineTool({
      name: 'bench_read',
      profile: 'bench',
      effect: 'read',
      timeoutMs: 10_000,
      description: 'Reads what there is about a topic. For the bench alone.',
      input: z.strictObject({ topic: z.string() }),
      execute: async ({ topic }) => ({ topic, rows: ['one', 'two', 'three'] }),
    }),
  ],
});

const instructions = Array.from({ length: 12 }, (_, n) => `${n + 1}. Read with \`bench_read\` before you answer, and answer from what was read, in order and without adding to it.`).join('\n');

/** SKILL.md by slug. */
export const turnSkills = {
  'bench-work': `---
name: bench-work
description: Does the work of the bench. Use it for every turn of the bench, and for nothing else.
metadata:
  skillgate.title: Bench work
  skillgate.version: "1.0.0"
  skillgate.default: available
  skillgate.capabilities: tools
  skillgate.profiles: bench
  skillgate.tools: bench_read
---

# Bench work

${instructions}
`,
};

export const turnProfiles = `  - name: bench
    title: The work of the bench
    capability: tools
    groups:
      - tools: [bench_read]
`;
