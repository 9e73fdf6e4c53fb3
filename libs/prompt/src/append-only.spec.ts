import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import { exposeTools, renderSchemas } from './expose.js';
import { history as storedHistory, type HistoryItem } from './history.js';
import type { ModelEntry } from './models.js';
import { renderPrefix } from './prefix.js';
import { project } from './project-history.js';
import { repair } from './repair-history.js';

const slugs = ['memo', 'review', 'minutes', 'own'];
const sourceOf = (slug: string) => (slug === 'own' ? ('account' as const) : ('platform' as const));
const toolOf = (slug: string): OpenedTool => ({
  name: `${slug}_write`,
  description: `Writes <${slug}>.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  profile: 'docs',
  effect: 'write',
  executor: 'docs',
  timeoutMs: 1_000,
  skill: `${slug}@1.0.0`,
});

type Act = { load: string } | { call: string; arguments: string };
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.constantFrom(...slugs).map((load) => ({ load })),
  fc.record({
    call: fc.constantFrom('memo_write', 'call_tool', 'no.such tool', ''),
    arguments: fc.constantFrom('{}', '', '{"a":', '"{\\"a\\":1}"', '{"name":"memo_write","arguments":{}}'),
  }),
);
const round = fc.record({
  text: fc.constantFrom('', 'I look.'),
  acts: fc.array(act, { minLength: 1, maxLength: 3 }),
  notice: fc.boolean(),
  cutShort: fc.boolean(),
});
const turn = fc.record({
  notice: fc.boolean(),
  facts: fc.boolean(),
  rounds: fc.array(round, { maxLength: 3 }),
  answered: fc.boolean(),
  image: fc.boolean(),
});
const chat = fc.record({ always: fc.boolean(), turns: fc.array(turn, { minLength: 1, maxLength: 4 }) });
type Chat = typeof chat extends fc.Arbitrary<infer T> ? T : never;

/** Plays a chat as the orchestrator does and returns each request's `{ tools, messages }` as JSON, in the order sent. */
function requestsOf({ always, turns }: Chat, entry: ModelEntry): { tools: string; messages: string; whole: string }[] {
  const prefix = renderPrefix({ tools: true, entries: slugs.map((slug) => ({ slug, description: `For ${slug}.` })) }).text;
  const sent: { tools: string; messages: string; whole: string }[] = [];
  const items: HistoryItem[] = [];
  const opened: OpenedTool[] = [];
  let ids = 0;
  const load = (slug: string, callId?: string) => {
    const fresh = opened.some(({ skill }) => skill.startsWith(slug)) ? [] : [toolOf(slug)];
    opened.push(...fresh);
    const skill = { slug, version: '1.0.0', digest: 'a'.repeat(64), instructions: `Do ${slug}.\n`, source: sourceOf(slug) };
    items.push({
      kind: 'loaded',
      skills: [skill],
      callIds: callId ? { [slug]: callId } : {},
      ...(fresh.length > 0 && { schemas: renderSchemas(fresh) }),
    });
  };
  const send = () => {
    // Through the store and back: what comes out must be what was sent from memory.
    const stored = storedHistory.parse(reorderKeys(items));
    const { tools } = exposeTools(entry.plan, opened);
    const messages = project(prefix, repair(stored).history, entry);
    const text = JSON.stringify(messages);
    if (JSON.stringify(project(prefix, repair(items).history, entry)) !== text) throw new Error(`The store changed bytes: ${text}`);
    sent.push({ tools: JSON.stringify(tools), messages: text, whole: JSON.stringify({ tools, messages }) });
  };

  if (always) load('minutes');
  for (const { notice, facts, rounds, answered, image } of turns) {
    if (notice) items.push({ kind: 'notice', text: 'Something changed.' });
    if (facts) items.push({ kind: 'facts', text: 'Today is Monday.' });
    items.push({
      kind: 'user',
      content: image
        ? [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'data:x', detail: 'low' } },
          ]
        : 'Go on',
    });
    send();
    for (const { text, acts, notice: noticed, cutShort } of rounds) {
      const calls = acts.map((one) => ({
        id: `c${(ids += 1)}`,
        name: 'load' in one ? 'load_skill' : one.call,
        arguments: 'load' in one ? JSON.stringify({ slug: one.load }) : one.arguments,
      }));
      items.push({ kind: 'assistant', text, calls });
      // A stop leaves the last call without a result; the repair before each request answers for it.
      for (const { id } of cutShort ? calls.slice(0, -1) : calls) items.push({ kind: 'result', callId: id, content: `result of ${id}` });
      acts.forEach((one, at) => 'load' in one && load(one.load, calls[at]!.id));
      if (noticed) items.push({ kind: 'notice', text: 'Something changed.' });
      send();
    }
    items.push({ kind: 'assistant', text: answered ? 'Done.' : '[This answer was interrupted.]', calls: [] });
  }
  return sent;
}

/** As a database that keeps JSON in its own form may hand it back. */
const reorderKeys = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reorderKeys)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, inner]) => [key, reorderKeys(inner)]),
        )
      : value;

const traits = {
  id: 'm',
  contextTokens: 1,
  maxOutputTokens: 1,
  usesTools: true,
  parallelCalls: true,
  cacheKey: false,
  prices: null,
} as const;
const instructions = ['system-message', 'tool-result'] as const;

/** Calls `check` with each request and the one sent before it. */
function eachPair(
  entry: ModelEntry,
  check: (before: { tools: string; messages: string; whole: string }, after: { tools: string; messages: string; whole: string }) => void,
) {
  fc.assert(
    fc.property(chat, (played) => {
      const sent = requestsOf(played, entry);
      for (let at = 1; at < sent.length; at += 1) check(sent[at - 1]!, sent[at]!);
    }),
    { numRuns: 200 },
  );
}

describe('no byte that was sent before changes', () => {
  it.each(instructions)('in plan dispatch: the whole request, tools first, with instructions by %s', (by) => {
    eachPair({ ...traits, instructions: by, plan: 'dispatch' }, (before, after) => {
      expect(after.whole.startsWith(before.whole.slice(0, -']}'.length))).toBe(true);
      expect(after.tools).toBe(before.tools);
    });
  });

  it.each(instructions)('in plan expand: the messages, and the tools array only grows at its end, with instructions by %s', (by) => {
    eachPair({ ...traits, instructions: by, plan: 'expand' }, (before, after) => {
      expect(after.messages.startsWith(before.messages.slice(0, -']'.length))).toBe(true);
      expect(after.tools.startsWith(before.tools.slice(0, -']'.length))).toBe(true);
    });
  });
});

describe('authority', () => {
  it.each(instructions)('text of an account never stands in a system message, with instructions by %s', (by) => {
    fc.assert(
      fc.property(chat, (played) => {
        for (const { messages } of requestsOf(played, { ...traits, instructions: by, plan: 'dispatch' })) {
          const system = (JSON.parse(messages) as { role: string; content: string }[]).filter(({ role }) => role === 'system');
          expect(system.some(({ content }) => content.includes('Do own.'))).toBe(false);
          if (by === 'tool-result') expect(system).toHaveLength(1);
        }
      }),
    );
  });
});
