import { describe, expect, it } from '@jest/globals';
import { acknowledgeLoad } from '@skillgate/prompt/acknowledge-load';
import { exposeTools, renderSchemas } from '@skillgate/prompt/expose';
import type { HistoryItem } from '@skillgate/prompt/history';
import { loadModels, modelEntry, type ModelEntry } from '@skillgate/prompt/models';
import { renderPrefix } from '@skillgate/prompt/prefix';
import { project } from '@skillgate/prompt/project-history';
import { parseChatRequest } from '../protocol/chat-request.js';
import { decide } from './decide.js';
import { attached, fileId, gardenInstructions, gardenSkills, gardenTools, goodResults } from './play-turn.fixtures.js';

/** The prompt as the house really writes it: when its words change, this tells before a demo does. */
const opened = gardenTools.map(({ name, description, parameters }) => ({
  name,
  description,
  inputSchema: parameters,
  profile: 'garden',
  effect: 'write' as const,
  executor: 'garden',
  timeoutMs: 1_000,
  skill: 'plant-digest@1.0.0',
}));
const prefix = renderPrefix({ tools: true, entries: gardenSkills.map((entry) => ({ ...entry, source: 'platform' as const })) }).text;

function play(entry: ModelEntry): { calls: string[]; answer: string } {
  const history: HistoryItem[] = [
    { kind: 'facts', text: 'Today is 2026-11-30 (UTC).' },
    { kind: 'user', content: attached('Please digest this garden journal.') },
  ];
  const calls: string[] = [];
  for (let step = 0; step < 8; step++) {
    const { tools } = exposeTools(entry.plan, calls.length > 0 ? opened : []);
    const reply = decide(parseChatRequest({ model: entry.id, messages: project(prefix, history, entry), tools }));
    if ('say' in reply) return { calls, answer: reply.say };
    const { name, arguments: sent } = reply.call;
    const [tool, args] = typeof sent.name === 'string' ? [sent.name, sent.arguments as Record<string, unknown>] : [name, sent];
    calls.push(tool);
    const id = `call_${step}`;
    history.push({ kind: 'assistant', text: '', calls: [{ id, name, arguments: JSON.stringify(sent) }] });
    if (args.slug === undefined) {
      history.push({
        kind: 'result',
        callId: id,
        content: goodResults[tool]?.(args) ?? '{"refused":"unknown-tool","message":"No such tool."}',
      });
      continue;
    }
    const acknowledgement = acknowledgeLoad({
      skill: 'plant-digest',
      version: '1.0.0',
      profiles: ['garden'],
      tools: gardenTools.map((one) => one.name),
      withheld: [],
    });
    const skill = {
      slug: 'plant-digest',
      version: '1.0.0',
      digest: 'd'.repeat(64),
      source: 'platform' as const,
      instructions: gardenInstructions,
    };
    history.push({ kind: 'result', callId: id, content: acknowledgement });
    history.push({ kind: 'loaded', skills: [skill], callIds: { 'plant-digest': id }, schemas: renderSchemas(opened) });
  }
  throw new Error(`no answer: ${calls.join(', ')}`);
}

describe('under the prompt of the house', () => {
  const careful = modelEntry(loadModels('models: []'), 'skillgate-offline');

  it.each([
    ['expand', 'system-message'],
    ['expand', 'tool-result'],
    ['dispatch', 'system-message'],
    ['dispatch', 'tool-result'],
  ] as const)('a turn goes its way with plan %s and instructions in a %s', (plan, instructions) => {
    const { calls, answer } = play({ ...careful, plan, instructions });
    expect(calls).toEqual(['load_skill', 'leaf_peek', 'scroll_press']);
    expect(answer).toContain('**plant-digest-spring-journal.docx** is ready');
    expect(answer).not.toContain(fileId);
  });

  it('a chat without tools gets a plain answer', () => {
    const plain = renderPrefix({ tools: false, entries: [] }).text;
    const messages = project(plain, [{ kind: 'user', content: 'Who are you?' }], careful);
    expect(decide(parseChatRequest({ model: 'm', messages }))).toMatchObject({ say: expect.stringContaining('not a language model') });
  });
});
