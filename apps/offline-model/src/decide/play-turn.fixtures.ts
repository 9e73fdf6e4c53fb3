import { parseChatRequest } from '../protocol/chat-request.js';
import { decide } from './decide.js';

/** A made-up house: one garden skill, tools of made-up names, both ways to expose them. For specs. */
export const fileId = `art_${'0123456789abcdef'.repeat(2)}`;

export const gardenSkills = [
  {
    slug: 'plant-digest',
    description: 'Condense garden journals into a short digest. Use for "digest", "sum up". Not for ordering seeds.',
  },
  { slug: 'seed-orders', description: 'Order seeds and tools from a nursery. Not for a digest.' },
];

export const gardenInstructions = `# Plant digest

Never mention \`make_noise\` outside the steps.

1. Open the journal: \`leaf_peek\` for text, \`scroll_peek\` for Word files.
2. Think.
3. Deliver with \`scroll_press\`; when text is wanted, \`leaf_press\`.

\`\`\`markdown
## Key points
- like this

## Next steps
- like that
\`\`\`
`;

const id = { type: 'string', pattern: '^art_[0-9a-f]{32}$' };
export const gardenTools = [
  {
    name: 'leaf_peek',
    description: 'Shows a text file: Markdown, text or CSV.',
    parameters: { type: 'object', properties: { artifact: id, offset: { type: 'integer', default: 0 } }, required: ['artifact'] },
  },
  {
    name: 'scroll_peek',
    description: 'Shows a Word document (.docx).',
    parameters: { type: 'object', properties: { artifact: id }, required: ['artifact'] },
  },
  {
    name: 'scroll_press',
    description: 'Makes a Word document (.docx).',
    parameters: {
      type: 'object',
      properties: { file_name: { type: 'string', description: 'Ends in .docx' }, title: { type: 'string' }, markdown: { type: 'string' } },
      required: ['file_name', 'title', 'markdown'],
    },
  },
  {
    name: 'leaf_press',
    description: 'Stores a text file (.md or .txt).',
    parameters: {
      type: 'object',
      properties: { file_name: { type: 'string', description: 'With .md or .txt' }, content: { type: 'string' } },
      required: ['file_name', 'content'],
    },
  },
];

const gate = {
  name: 'open_gate',
  description: 'Load a skill: its instructions arrive and its tools open.',
  parameters: { type: 'object', properties: { slug: { type: 'string' } }, required: ['slug'] },
};
const bridge = {
  name: 'pass_on',
  description: 'Call a tool that a loaded skill opened.',
  parameters: { type: 'object', properties: { name: { type: 'string' }, arguments: { type: 'object' } }, required: ['name', 'arguments'] },
};
const asFunction = (tool: object): object => ({ type: 'function', function: tool });

export interface Play {
  user: string;
  /** `grows`: opened tools join the request. `bridge`: their schemas travel with the instructions. `riding`: as `grows`, instructions in the result. */
  shape?: 'grows' | 'bridge' | 'riding';
  results?: Record<string, (args: Record<string, unknown>) => string>;
  before?: object[];
  opened?: object[];
  /** Why the opening held something back. */
  withheld?: string;
}

export interface Played {
  calls: { name: string; arguments: Record<string, unknown> }[];
  answer: string;
  messages: object[];
}

/** Plays one turn to its answer. Throws when the stand-in goes on for more than ten steps. */
export function playTurn({ user, shape = 'grows', results = {}, before = [], opened = gardenTools, withheld }: Play): Played {
  const catalog = gardenSkills.map(({ slug, description }) => `- ${slug}: ${description}`).join('\n');
  const messages: object[] = [
    { role: 'system', content: `Use <available_skills>.\n\n<available_skills>\n${catalog}\n</available_skills>` },
    ...before,
    { role: 'user', content: user },
  ];
  const calls: Played['calls'] = [];
  let loaded = before.length > 0;
  for (let step = 0; step < 10; step++) {
    const tools = [gate, ...(shape === 'bridge' ? [bridge] : loaded ? opened : [])].map(asFunction);
    const reply = decide(parseChatRequest({ model: 'any', messages, tools }));
    if ('say' in reply) return { calls, answer: reply.say, messages };
    const over = reply.call.name === bridge.name;
    const name = over ? String(reply.call.arguments.name) : reply.call.name;
    const args = over ? (reply.call.arguments.arguments as Record<string, unknown>) : reply.call.arguments;
    calls.push({ name, arguments: args });
    const callId = `call_${step}`;
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: callId, type: 'function', function: { name: reply.call.name, arguments: JSON.stringify(reply.call.arguments) } }],
    });
    const result = results[name]?.(args);
    if (name !== gate.name || result !== undefined) {
      messages.push({ role: 'tool', tool_call_id: callId, content: result ?? '{"refused":"unknown-tool","message":"No such tool."}' });
      continue;
    }
    loaded = true;
    const schemas = opened.map((tool) => JSON.stringify(tool).replace('"parameters"', '"arguments"').replace(/</g, '\\u003c')).join('\n');
    const block = `<loaded_skills>\n<skill name="${String(args.slug)}" version="1.0.0">\n${gardenInstructions}\n</skill>\n${shape === 'bridge' ? `<tools>\n${schemas}\n</tools>\n` : ''}</loaded_skills>`;
    const told = JSON.stringify({
      loaded: `${String(args.slug)}@1.0.0`,
      tools: opened.map((tool) => (tool as { name: string }).name),
      ...(withheld ? { withheld: [{ name: 'garden', message: withheld }] } : {}),
    });
    messages.push({ role: 'tool', tool_call_id: callId, content: shape === 'riding' ? `${told}\n\n${block}` : told });
    if (shape !== 'riding') messages.push({ role: 'system', content: block });
  }
  throw new Error(`no answer after ten steps: ${calls.map((call) => call.name).join(', ')}`);
}

export const journal = `# Spring journal

The garden lost 12 of 40 tomato plants to frost in April. We covered the rest with fleece on 3 May.

## Soil

Compost raised the soil temperature by 2 degrees. The east bed stays wet after rain.

## Water

The barrel holds 200 litres and lasts nine dry days. TODO: mend the tap by Friday.
`;

export const attached = (request: string, name = 'journal.md', mime = 'text/markdown'): string =>
  `${request}\n\n[Attached files]\n- ${name} (${mime}, 400 bytes), artifact_id: ${fileId}`;

export const goodResults: NonNullable<Play['results']> = {
  leaf_peek: () => JSON.stringify({ name: 'journal.md', text: journal, offset: 0, total: journal.length, next_offset: null, notes: [] }),
  scroll_peek: () => JSON.stringify({ name: 'journal.docx', text: journal }),
  scroll_press: (args) =>
    JSON.stringify({
      artifact: { id: `art_${'f'.repeat(32)}`, name: args.file_name, mime: 'x', bytes: 9000 },
      notes: ['One image was left out.'],
    }),
  leaf_press: (args) => JSON.stringify({ artifact: { id: `art_${'e'.repeat(32)}`, name: args.file_name, mime: 'x', bytes: 900 } }),
};
