// A chat may go on with any model that models.yaml knows, whichever model it began with.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import type { ChatMessage } from './chat-message.js';
import { flatten } from './flatten-history.js';
import type { HistoryItem } from './history.js';
import { loadModels, type ModelEntry, modelEntry, modelsFile } from './models.js';
import { project } from './project-history.js';
import { repair } from './repair-history.js';

const models = loadModels(readFileSync(modelsFile, 'utf8'));
const patterned = ['gemini-3-pro', 'gpt-oss-20b', 'qwen3-32b', 'llama-3.3-70b', 'mistral-small'];
const entries = [...models.entries.keys(), ...patterned, 'unheard-of'].map((id) => modelEntry(models, id));

const image = { artifact: `art_${'a'.repeat(32)}`, name: 'plan.png', mime: 'image/png' };
const urls = new Map([[image.artifact, 'data:image/png;base64,AAAA']]);

const call = fc.record({
  name: fc.constantFrom('docs_read', 'call_tool', 'load_skill', 'no such.tool', ''),
  arguments: fc.constantFrom('', 'null', '{}', '{"a":', '"{\\"a\\":1}"', '[1]', '{"name":"docs_read","arguments":{"a":1}}'),
  answered: fc.boolean(),
  image: fc.boolean(),
});
const round = fc.record({ text: fc.constantFrom('', 'I look.'), calls: fc.array(call, { minLength: 1, maxLength: 3 }), load: fc.boolean(), notice: fc.boolean() });
const turn = fc.record({ said: fc.constantFrom(1, 2), facts: fc.boolean(), rounds: fc.array(round, { maxLength: 3 }), ends: fc.boolean() });
const chat = fc.record({ summary: fc.boolean(), begunByAssistant: fc.boolean(), turns: fc.array(turn, { minLength: 1, maxLength: 3 }) });

/** As the house stores a chat with the model `by`: with our ids, its provider's data beside, and what a stop left out left out. */
function played({ summary, begunByAssistant, turns }: typeof chat extends fc.Arbitrary<infer T> ? T : never, by: ModelEntry): HistoryItem[] {
  const items: HistoryItem[] = [];
  let ids = 0;
  if (summary) items.push({ kind: 'summary', text: 'Earlier.' });
  if (begunByAssistant) items.push({ kind: 'assistant', text: 'Hello!', calls: [] });
  for (const { said, facts, rounds, ends } of turns) {
    if (facts) items.push({ kind: 'facts', text: 'Today is Monday.' });
    for (let n = 0; n < said; n += 1) items.push({ kind: 'user', content: 'Go on' });
    for (const { text, calls, load, notice } of rounds) {
      const made = calls.map((one) => ({ ...one, id: `call_${(ids += 1)}` }));
      const provider = { model: by.id, call: { extra_content: { signature: `of ${by.id}` } }, message: { reasoning_details: [`of ${by.id}`] } };
      items.push({ kind: 'assistant', text, calls: made.map(({ id, name, arguments: raw }) => ({ id, name, arguments: raw, provider })) });
      for (const one of made) if (one.answered) items.push({ kind: 'result', callId: one.id, content: 'ok', ...(one.image && { images: [image] }) });
      const skill = { slug: 'memo', version: '1.0.0', digest: 'a'.repeat(64), instructions: 'Do memo.', source: 'account' as const };
      if (load) items.push({ kind: 'loaded', skills: [skill], callIds: { memo: made[0]!.id }, schemas: '{"name":"docs_read"}' });
      if (notice) items.push({ kind: 'notice', text: 'Something changed.' });
    }
    if (ends) items.push({ kind: 'assistant', text: 'Done.', calls: [] });
  }
  return items;
}

/** What providers and chat templates are known to refuse. Throws an Error that says which rule is broken. */
function accept(messages: readonly ChatMessage[], entry: ModelEntry): void {
  const fail = (rule: string) => {
    throw new Error(`${entry.id}: ${rule}: ${JSON.stringify(messages)}`);
  };
  const strict = entry.instructions === 'tool-result';
  if (messages[0]?.role !== 'system') fail('the prefix leads');
  if (strict && messages.slice(1).some(({ role }) => role === 'system')) fail('one system message');
  const seen = new Set<string>();
  const open: string[] = [];
  let last = 'assistant';
  for (const message of messages.slice(1)) {
    if (message.role === 'tool') {
      if (open.shift() !== message.tool_call_id) fail('results answer their calls, in order');
      if (/base64/.test(message.content)) fail('no image as text');
      continue;
    }
    if (open.length > 0) fail('every call has a result before anybody speaks');
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    const looks = message.role === 'user' && typeof message.content !== 'string' && message.content.some(({ type }) => type === 'image_url');
    if (looks && !entry.images) fail('no image for the blind');
    // An image behind results is the one message of a user that stands in mid-turn; blind models get none.
    if (strict && message.role !== 'system' && calls.length === 0 && !(looks && last === 'calls')) {
      if (message.role === (last === 'calls' ? 'user' : last)) fail('user and assistant alternate');
    }
    last = calls.length > 0 ? 'calls' : message.role;
    if (message.role === 'assistant' && calls.length === 0 && !message.content) fail('an answer says something');
    if (!entry.parallelCalls && calls.length > 1) fail('one call an answer');
    for (const { id, function: { name, arguments: raw } } of calls) {
      if (seen.has(id)) fail('an id is used once');
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) fail('names are plain');
      if (typeof JSON.parse(raw) !== 'object' || Array.isArray(JSON.parse(raw))) fail('arguments are an object');
      seen.add(id);
      open.push(id);
    }
  }
  if (open.length > 0) fail('every call has a result');
}

describe('a chat that goes on with another model', () => {
  it.each(entries.map((before) => [before.id, before] as const))('after %s is accepted by every model', (_, before) => {
    for (const after of entries) {
      fc.assert(
        fc.property(chat, (made) => {
          const messages = project('P', repair(played(made, before)).history, after, urls);
          accept(messages, after);
          if (after.id !== before.id) expect(JSON.stringify(messages)).not.toContain(`of ${before.id}`);
        }),
        { numRuns: 25 },
      );
    }
  });

  it.each(entries.map((entry) => [entry.id, entry] as const))('of an account that lost its tools has neither calls nor results nor instructions, with %s', (_, entry) => {
    fc.assert(
      fc.property(chat, (made) => {
        const messages = project('P', flatten(repair(played(made, entry)).history), entry, urls);
        accept(messages, entry);
        expect(messages.some((message) => message.role === 'tool' || 'tool_calls' in message)).toBe(false);
        expect(JSON.stringify(messages)).not.toContain('Do memo.');
      }),
      { numRuns: 50 },
    );
  });
});
