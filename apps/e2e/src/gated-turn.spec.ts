// Proves: one turn through the whole house is one stream, one route and one trace, and nothing that was sent changes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { orphans } from '@skillgate/backing/trace-tree';
import type { Span } from '@skillgate/backing/span';
import type { ChatRequest } from '@skillgate/testing/script';
import { type Answer, startDevHouse } from './test-house.fixture.js';

const material = '# Move to the new warehouse\n\nThe lease ends in March. Rent is 12,000 a month.\n\n## Open\n\nWho signs?\n';

describe('a gated turn', () => {
  let t: Awaited<ReturnType<typeof startDevHouse>>;
  let answer: Answer;
  let spans: Span[];
  let requests: { body: string; json: ChatRequest }[];

  beforeAll(async () => {
    t = await startDevHouse();
    const file = await t.upload('warehouse.md', material);
    answer = await t.turn(
      [
        { toolCalls: [{ name: 'load_skill', arguments: { slug: 'briefing-memo' } }] },
        { toolCalls: [{ name: 'docs_read_text', arguments: { artifact: file } }] },
        { toolCalls: [{ name: 'docs_generate_docx', arguments: { file_name: 'memo.docx', title: 'Warehouse', markdown: '## Purpose\n\nDecide.' } }] },
        { text: ['The memo ', 'is ready.'], usage: { prompt: 100, completion: 5, cached: 80 } },
      ],
      {
        messages: [{ role: 'user', content: 'Make a one-page memo of this.' }],
        stream_options: { include_usage: true },
        skillgate: { artifacts: [file], progress: true },
      },
    );
    requests = t.model.requests.map(({ body, json }) => ({ body, json }));
    const whole = (all: Span[]) => {
      const own = all.filter((span) => span.traceId === answer.traceId);
      return own.some((span) => span.parentSpanId === null) && orphans(own).length === 0 && own.some((span) => span.name.startsWith('invoke_agent'));
    };
    await t.receiver.until(whole, 15_000);
    spans = t.receiver.trace(answer.traceId);
  }, 60_000);
  afterAll(() => t.stop());

  it('streams chunks of the vendor: role first, text, a finish, the usage, and an end', () => {
    expect(answer.status).toBe(200);
    expect(answer.chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(answer.text).toBe('The memo is ready.');
    expect(answer.chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.finish_reason)).filter(Boolean)).toEqual(['stop']);
    expect(answer.chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThanOrEqual(5);
    expect(answer.lines.at(-1)).toBe('data: [DONE]');
  });

  it('says while it works which skill it loads, which tool it calls, and what that tool says', () => {
    const stages = answer.chunks.flatMap((chunk) => (chunk.skillgate?.progress ? [chunk.skillgate.progress.stage] : []));
    const told = stages.filter((stage, at) => stage !== 'working' || stages[at - 1] !== 'working'); // how often a tool speaks depends on its speed
    expect(told).toEqual([
      ...['accepted', 'thinking', 'loading', 'loaded', 'thinking', 'calling', 'called', 'thinking', 'calling', 'working', 'called', 'thinking'],
    ]);
    expect(answer.chunks.find((chunk) => chunk.skillgate?.artifact)?.skillgate?.artifact?.name).toBe('memo.docx');
  });

  it('keeps the route: task, skill, profile, tool', async () => {
    const route = await t.route(answer.turn);
    expect(route.traceId).toBe(answer.traceId);
    const [{ version } = { version: '' }] = route.skills;
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(route.skills).toEqual([{ skill: 'briefing-memo', version, profiles: ['docs'], tools: ['docs_read_text', 'docs_generate_docx'] }]);
    expect(route.questions).toEqual({ skillVisible: true, skillLoaded: true, profileOpened: true, toolSelected: true, argumentsValid: true, taskDone: true });
    expect(route.steps.map((step) => step.kind)).toEqual(['model', 'load', 'model', 'tool', 'model', 'tool', 'model']);
    expect(route.visible).toContain('briefing-memo');
    expect(route.visible).not.toContain('house-style');
    const parts = route.tokens;
    for (const part of ['base', 'catalog', 'loaded', 'tools', 'conversation'] as const) expect(parts[part]).toBeGreaterThan(0);
    expect(parts.monolith).toBeGreaterThan(parts.base + parts.catalog + parts.tools);
    expect(route.cost).toMatchObject({ usd: null, cachedTokens: 80, activations: [{ skill: `briefing-memo@${version}`, before: { usd: null }, after: { usd: null } }] });
    expect(route.cost?.activations[0]?.after.inputTokens).toBeGreaterThan(route.cost!.activations[0]!.before.inputTokens);
    expect(route.cost?.monolith?.inputTokens).toBeGreaterThan(parts.monolith * 3);
  });

  it('makes a Word file that the account can fetch, and nobody else', async () => {
    const id = answer.chunks.find((chunk) => chunk.skillgate?.artifact)?.skillgate?.artifact?.id;
    const mine = await t.get(`/api/v1/artifacts/${id}`);
    expect(mine.headers.get('content-type')).toContain('wordprocessingml');
    expect(Buffer.from(await mine.arrayBuffer()).subarray(0, 2).toString()).toBe('PK');
    expect((await t.get(`/api/v1/artifacts/${id}`, t.house.keys.free)).status).toBe(404);
  });

  it('is one trace over all services, without an orphan', () => {
    expect(orphans(spans)).toEqual([]);
    expect(spans.filter((span) => span.parentSpanId === null).map((span) => span.service)).toEqual(['gateway']);
    // Accounts is asked whose key it is, and that answer is kept for a moment; what the account may use, the others know from its events.
    const services = new Set(spans.map((span) => span.service).filter((service) => service !== 'accounts'));
    expect([...services].sort()).toEqual(['artifacts', 'catalog', 'docs', 'gateway', 'orchestrator', 'registry']);
    expect(spans.map((span) => span.name)).not.toContain('serve call.v1.accounts.get-entitlements');
  });

  it.each([
    ['gateway', 'POST /v1/chat/completions', 'gateway', 'call call.v1.orchestrator.start-turn'],
    ['gateway', 'call call.v1.orchestrator.start-turn', 'orchestrator', 'serve call.v1.orchestrator.start-turn'],
    ['orchestrator', 'accept_turn', 'orchestrator', 'invoke_agent skillgate'],
    ['orchestrator', 'invoke_agent skillgate', 'orchestrator', 'chat scripted-model'],
    ['orchestrator', 'invoke_agent skillgate', 'orchestrator', 'call call.v1.catalog.prepare-turn'],
    ['orchestrator', 'call call.v1.catalog.prepare-turn', 'catalog', 'serve call.v1.catalog.prepare-turn'],
    ['orchestrator', 'invoke_agent skillgate', 'orchestrator', 'execute_tool load_skill'],
    ['orchestrator', 'execute_tool load_skill', 'orchestrator', 'call call.v1.catalog.load-skill'],
    ['orchestrator', 'execute_tool load_skill', 'orchestrator', 'call call.v1.registry.resolve-tools'],
    ['orchestrator', 'call call.v1.registry.resolve-tools', 'registry', 'serve call.v1.registry.resolve-tools'],
    ['orchestrator', 'execute_tool docs_read_text', 'orchestrator', 'call tool.v1.docs.docs_read_text'],
    ['orchestrator', 'call tool.v1.docs.docs_read_text', 'docs', 'serve tool.v1.docs.docs_read_text'],
    ['docs', 'serve tool.v1.docs.docs_read_text', 'docs', 'execute_tool docs_read_text'],
  ])('has the edge %s: %s -> %s: %s', (fromService, fromName, toService, toName) => {
    const parents = spans.filter((span) => span.service === fromService && span.name === fromName).map((span) => span.spanId);
    const children = spans.filter((span) => span.service === toService && span.name === toName);
    expect(children.length).toBeGreaterThan(0);
    expect(children.every((child) => parents.includes(child.parentSpanId ?? ''))).toBe(true);
  });

  it('shows the same grant on both sides of a tool call', () => {
    const ids = (service: string) => spans.filter((span) => span.service === service && span.name === 'execute_tool docs_read_text').map((span) => span.attributes['skillgate.grant.id']);
    expect(ids('orchestrator')[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids('docs')).toEqual(ids('orchestrator'));
  });

  it('keeps the words of user, model and tools out of the trace', () => {
    expect(JSON.stringify(spans)).not.toContain('lease ends');
    expect(JSON.stringify(spans)).not.toContain('one-page memo');
  });

  it('sends the catalog before the load, the instructions after it, and no tool schema before its skill', () => {
    const [before, after] = requests.map((request) => request.body);
    expect(before).toContain('<available_skills>');
    expect(before).not.toContain('docs_generate_docx');
    expect(after).toContain('<loaded_skills>');
    expect(after).toContain('docs_generate_docx');
  });

  it('changes no message that was sent before', () => {
    for (let at = 1; at < requests.length; at++) {
      const before = requests[at - 1]!.json.messages.map((message) => JSON.stringify(message));
      const after = requests[at]!.json.messages.map((message) => JSON.stringify(message));
      expect(after.slice(0, before.length)).toEqual(before);
    }
  });
});
