// Proves: tools that others wrote, as their servers list them today, each end accepted or quarantined with a reason that is true, and a
// request with all that were accepted is one that no family of providers refuses.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { listManifests, OpenedTool } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { announceSubject } from '@skillgate/contracts/tool-call';
import { suggestName, toolManifest } from '@skillgate/contracts/tool-manifest';
import { toolName } from '@skillgate/contracts/words';
import { baseToolNames } from '@skillgate/prompt/base-tools';
import { decodeCall } from '@skillgate/prompt/decode-call';
import { dialectNames } from '@skillgate/prompt/dialects';
import { exposeTools, renderSchemas } from '@skillgate/prompt/expose';
import { dialectFaults } from '@skillgate/prompt/spec-support/dialect-faults';
import { entitled } from './spec-support/facts.js';
import { startRegistry, newTurn, until, type LiveRegistry } from './spec-support/live-registry.js';
import { manifestOf, mcpServers, toolsOf } from './spec-support/mcp-tools.js';

let registry: LiveRegistry;
/** By server, as listed a moment ago. */
let listed: Map<string, Tool[]>;

beforeAll(async () => {
  const [started, ...tools] = await Promise.all([startRegistry(), ...mcpServers.map(toolsOf)]);
  registry = started;
  registry.account.facts = entitled();
  listed = new Map(mcpServers.map((server, at) => [server, tools[at]!]));
}, 120_000);

afterAll(() => registry?.stop());

const all = () => [...listed.values()].flat();

type Executor = CallOutput<typeof listManifests>['executors'][number];
let announcements = 0;

/** Announces them all as one executor, and answers what the registry made of it. */
async function announced(tools: unknown[], executor: 'docs' | 'team-b' = 'docs'): Promise<Executor> {
  const version = `1.0.${++announcements}`;
  await registry.publishRaw(announceSubject(executor), { executor, version, instance: executor, state: 'serving', tools }, executor);
  const seen = await until(registry.executors, (executors) => executors.some((one) => one.executor === executor && one.version === version));
  return seen.find((one) => one.executor === executor)!;
}

const ok = ({ tools }: Executor) => tools.filter(({ state }) => state !== 'quarantined');
const out = ({ tools, refused = [] }: Executor) => [...tools.filter(({ state }) => state === 'quarantined').map(({ name, reason }) => ({ name, reason })), ...refused];

describe('tools of other authors', () => {
  it('are at least sixty, of all servers', () => {
    expect(all().length).toBeGreaterThanOrEqual(60);
    expect([...listed.values()].every((tools) => tools.length > 0)).toBe(true);
  });

  it('under their own names each end accepted or refused, and a name is the reason only where it is one', async () => {
    const executor = await announced(all().map((tool) => manifestOf(tool, { profile: 'docs', renamed: false })));
    expect(ok(executor).length + out(executor).length).toBe(all().length);
    for (const { name, inputSchema, description = '' } of all()) {
      const refused = out(executor).find((one) => one.name === name);
      const badName = !toolName.safeParse(name).success;
      const badWords = description.length < 1 || description.length > 1024;
      if (!refused) expect([name, badName, badWords]).toEqual([name, false, false]);
      if (badName) expect(refused?.reason).toContain(`call it "${suggestName(name)!}"`);
      if (badWords) expect(refused?.reason).toContain(`${description.length} characters`);
      // Whatever else is refused is so for its schema, which then breaks a rule for somebody as it stands.
      if (refused && !badName && !badWords) expect([name, dialectNames.some((dialect) => dialectFaults(dialect, inputSchema).length > 0)]).toEqual([name, true]);
    }
  });

  it('are accepted once their authors did what the reasons say', async () => {
    const mended = all().map((tool) => manifestOf({ ...tool, description: (tool.description ?? '').slice(0, 1024) }, { profile: 'docs', renamed: true }));
    const executor = await announced(mended);
    expect(out(executor)).toEqual([]);
    expect(ok(executor).every(({ tokens }) => tokens !== undefined && tokens > 10)).toBe(true);
  });
});

describe('a request with all that were accepted', () => {
  let opened: OpenedTool[];

  beforeAll(async () => {
    const tools = all().map((tool) => manifestOf({ ...tool, description: (tool.description ?? '').slice(0, 1024) }, { profile: 'docs', renamed: true }));
    // As many as one request can carry: some come from a second team as well, under the same names.
    const shared = tools.slice(0, 124 - tools.length);
    expect(shared.length).toBeGreaterThan(20);
    const [ours, theirs] = [await announced(tools), await announced(shared, 'team-b')];
    await registry.approveOf('docs', ...ok(ours));
    await registry.approveOf('team-b', ...ok(theirs));
    const answer = await registry.resolve(newTurn());
    expect(answer.withheld.filter(({ slug }) => slug !== 'unserved')).toEqual([]);
    opened = answer.tools;
    expect(opened).toHaveLength(124);
  }, 60_000);

  it.each(dialectNames)('is one that no provider of the family %s refuses', (dialect) => {
    const { tools } = exposeTools('expand', opened, dialect);
    const names = tools.map((tool) => tool.function.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeLessThanOrEqual(128);
    for (const { function: tool } of tools) {
      expect(tool.name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
      expect(tool.description.length).toBeLessThanOrEqual(1024);
      expect([tool.name, dialectFaults(dialect, tool.parameters)]).toEqual([tool.name, []]);
    }
  });

  it('is broken by the same tools as they were listed, so that these checks find something', () => {
    const raw = (dialect: (typeof dialectNames)[number]) => all().filter(({ inputSchema }) => dialectFaults(dialect, inputSchema).length > 0).length;
    expect(raw('gemini')).toBeGreaterThan(20);
    expect(raw('grammar')).toBeGreaterThan(0);
  });

  it('lets each be called by its name, whichever way tools are exposed', () => {
    for (const { name } of opened) {
      expect(decodeCall('expand', { name, arguments: '{}' }, opened, baseToolNames)).toMatchObject({ kind: 'tool', name });
      expect(decodeCall('dispatch', { name: 'call_tool', arguments: JSON.stringify({ name, arguments: {} }) }, opened, baseToolNames)).toMatchObject({ kind: 'tool', name });
    }
    expect(renderSchemas(opened).split('\n').map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(opened.map(({ name }) => name));
  });

  it('takes the tools of a second team to that team, under the names that it gave them', () => {
    const theirs = opened.filter(({ executor }) => executor === 'team-b');
    expect(theirs.length).toBeGreaterThan(20);
    for (const { name } of theirs) expect(name).toContain('team_b');
    for (const { ownName } of theirs) expect(opened.some((one) => one.executor === 'docs' && one.name === ownName)).toBe(true);
  });

  it('has manifests that the contract takes', () => {
    for (const { name, description, inputSchema, profile, effect, timeoutMs } of opened)
      expect(toolManifest.safeParse({ name, description, inputSchema, profile, effect, timeoutMs, schemaDigest: 'a'.repeat(64) }).success).toBe(true);
  });
});
