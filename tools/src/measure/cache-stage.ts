import { defineExecutor } from '@skillgate/executor-kit/define-executor';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';

/** Two profiles that only this measure has, so that each activation opens tools, whichever executors stand in this tree. */
const bundles = [
  { profile: 'deliveries', of: 'deliveries of a warehouse', names: ['find', 'read', 'list', 'compare'] },
  { profile: 'invoices', of: 'invoices of a supplier', names: ['find', 'read', 'list', 'compare'] },
] as const;

/** As many parameters and words as tools of the house have on the average. */
const input = z.strictObject({
  query: z.string().describe('Words that must all occur, in any order.'),
  from: z.string().optional().describe('First day, YYYY-MM-DD. Earlier ones are left out.'),
  to: z.string().optional().describe('Last day, YYYY-MM-DD. Later ones are left out.'),
  state: z.enum(['open', 'closed', 'disputed']).optional().describe('Only those in this state.'),
  limit: z.number().int().min(1).max(50).default(10).describe('How many at most.'),
});

const row = (n: number) => ({ id: `R-${1000 + n}`, day: `2026-11-${10 + n}`, party: 'Halvorsen Freight', state: 'open', amount: 1200 + n * 37 });

export const cacheExecutor = defineExecutor({
  name: 'measure',
  version: '1.0.0',
  tools: bundles.flatMap(({ profile, of, names }) =>
    names.map((name) =>
      defineTool({
        name: `measure_${profile}_${name}`,
        profile,
        effect: 'read',
        timeoutMs: 5_000,
        description: `Use it to ${name} ${of} by words, day and state. Answers with rows; an empty list means that there is none.`,
        input,
        execute: async () => ({ rows: Array.from({ length: 5 }, (_, n) => row(n)) }),
      }),
    ),
  ),
});

export const cacheProfiles = bundles
  .map(({ profile, of, names }) => {
    const tools = names.map((name) => `measure_${profile}_${name}`).join(', ');
    return `  - name: ${profile}\n    title: The ${of}\n    capability: tools\n    groups:\n      - tools: [${tools}]\n`;
  })
  .join('');

const body = (of: string) => `# Work with ${of}

Answer from rows that you have read in this turn, never from memory, and name the day of each figure.

## How to work

1. Find out which days and which party the question is about. Ask once when neither can be read from it.
2. Find the rows with few words, then narrow by day and state. A long list is a sign of words that are too common.
3. Read a row before you quote its amount. Compare two of them only when they are of one party and one currency.
4. Add up by yourself and show the sum beside its parts, so that the reader can check it.

## What to say

- The figure first, then what it is made of, then what is missing.
- Days as they stand in the rows. Amounts with their currency, never rounded without a word about it.
- Where rows contradict each other, both, and that they do.
`;

/** SKILL.md by slug. */
export const cacheSkills: Record<string, string> = Object.fromEntries(
  bundles.map(({ profile, of, names }) => {
    const tools = names.map((name) => `measure_${profile}_${name}`).join(', ');
    const head = `name: ${profile}\ndescription: Finds and compares ${of}. Use it for questions about them, and for nothing else.\nmetadata:\n  skillgate.title: The ${of}\n`;
    const needs = `  skillgate.version: "1.0.0"\n  skillgate.default: available\n  skillgate.capabilities: tools\n  skillgate.profiles: ${profile}\n  skillgate.tools: ${tools}\n`;
    return [profile, `---\n${head}${needs}---\n\n${body(of)}`];
  }),
);
