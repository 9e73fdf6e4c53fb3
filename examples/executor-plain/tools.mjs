import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { canonicalJson } from './canonical-json.mjs';

const notes = [];
const text = { type: 'string', description: 'The text.' };

/** `check` answers with what is wrong with the arguments. `run` gets them with what the call's grant says, and a signal that stops it. */
const definitions = [
  {
    name: 'plain_count_words',
    effect: 'read',
    description: 'Counts the words of a text. Use it for texts of the user. Not for files.',
    inputSchema: { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
    run: async ({ text: given }) => ({ words: given.split(/\s+/).filter(Boolean).length }),
  },
  {
    name: 'plain_add_note',
    effect: 'write',
    description: 'Keeps a note until the executor ends and answers with its number. Not for files.',
    inputSchema: { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
    run: async ({ text: given }, { account, progress }) => {
      progress('Writing the note', 0.5);
      return { number: notes.push({ account, text: given }) };
    },
  },
  {
    name: 'plain_wait',
    effect: 'read',
    description: 'Waits for some seconds. Use it to try the connection. Not for real work.',
    inputSchema: { type: 'object', properties: { seconds: { type: 'integer', description: 'How long.' } }, required: ['seconds'], additionalProperties: false },
    run: async ({ seconds }, { signal }) => pause(seconds * 1_000, { waited: seconds }, { signal }),
  },
  {
    name: 'plain_repeat',
    effect: 'read',
    description: 'Answers with a text many times over. Use it to try the size limit. Not for real work.',
    inputSchema: {
      type: 'object',
      properties: { text, times: { type: 'integer', description: 'How often.' } },
      required: ['text', 'times'],
      additionalProperties: false,
    },
    run: async ({ text: given, times }) => given.repeat(times),
  },
];

const kinds = { string: (value) => typeof value === 'string', integer: Number.isInteger };

/** Enough for the schemas above; a real executor uses a JSON Schema library. */
function check({ inputSchema: { properties, required } }, args) {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(properties, name));
  if (unknown) return `"${unknown.slice(0, 50)}" is not an argument; known are ${Object.keys(properties).join(', ')}`;
  const missing = required.find((name) => args[name] === undefined);
  if (missing) return `"${missing}" is missing`;
  const wrong = Object.keys(args).find((name) => !kinds[properties[name].type](args[name]));
  return wrong && `"${wrong}" must be of type ${properties[wrong].type}`;
}

export const tools = new Map(
  definitions.map((tool) => {
    const { run, ...described } = tool;
    const manifest = { ...described, profile: 'docs' };
    const schemaDigest = createHash('sha256').update(canonicalJson(manifest)).digest('hex');
    return [tool.name, { run, check: (args) => check(tool, args), effect: tool.effect, timeoutMs: 30_000, manifest: { ...manifest, timeoutMs: 30_000, schemaDigest } }];
  }),
);
