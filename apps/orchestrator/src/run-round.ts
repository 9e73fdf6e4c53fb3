import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import type { RouteStep } from '@skillgate/contracts/route';
import type { ModelCall } from '@skillgate/prompt/accumulate-calls';
import { baseToolNames } from '@skillgate/prompt/base-tools';
import { capResult } from '@skillgate/prompt/cap-result';
import { type DecodedCall, decodeCall, renderSchemas } from '@skillgate/prompt/expose';
import type { HistoryItem } from '@skillgate/prompt/history';
import { newCallId } from './own-call-id.js';
import { loadSkill } from './load-skill.js';
import { runOwnTool } from './own-tools.js';
import { refusedCall, runTool, type ToolRun } from './run-tool.js';
import { inExecuteToolSpan } from './spans.js';
import type { TurnContext } from './turn-context.js';

interface PlannedCall {
  id: string;
  call: ModelCall;
  decoded: DecodedCall;
}

/**
 * All calls of one model answer. Loads go first, since what they open decides on the rest; `read` tools asked for beside
 * a load run against the opened registry, tools with effects wait until the model has read its instructions. Every call
 * id gets exactly one result, in the order of the calls.
 */
export async function runRound(context: TurnContext, text: string, calls: readonly ModelCall[], callsLeft: number): Promise<void> {
  const planned = calls.map((call) => ({ id: newCallId(), call, decoded: decode(context, call) }));
  const results = new Map<string, ToolRun | { content: string; step: RouteStep; artifacts: [] }>();
  const fresh: { skill: LoadedSkill; callId: string }[] = [];
  const loads = planned.filter(isLoad).slice(0, callsLeft);
  for (const { id, decoded } of loads) {
    const slug = String(decoded.arguments.slug ?? '');
    const load = await inExecuteToolSpan(context, id, 'load_skill', () => loadSkill(context, id, slug));
    results.set(id, { ...load, artifacts: [] });
    if (!load.skill) continue;
    context.loaded.push(load.skill);
    fresh.push({ skill: load.skill, callId: id });
  }
  const others = planned.filter((call) => !isLoad(call)).slice(0, Math.max(callsLeft - loads.length, 0));
  // Calls decoded before the load named tools that only now are open.
  const again = fresh.length > 0 ? others.map((each) => ({ ...each, decoded: decode(context, each.call) })) : others;
  await Promise.all(again.map(async (each) => results.set(each.id, await runOne(context, each, fresh.length > 0))));
  const runs = planned.map(({ id, call }) => results.get(id) ?? refusedCall(id, call.name, 'turn-limit', 'This turn has used up its tool calls.'));
  context.artifacts.push(...runs.flatMap((run) => run.artifacts));
  context.journal.history.push(...itemsOf(context, text, planned, runs, fresh));
  context.journal.steps.push(...runs.map((run) => run.step));
  if (fresh.length > 0) context.journal.pin(context.loaded.map(({ slug, version, digest }) => ({ slug, version, digest })));
}

const isLoad = ({ decoded }: PlannedCall): boolean => decoded.kind === 'base' && decoded.name === 'load_skill';

const decode = ({ entry, held }: TurnContext, call: ModelCall): DecodedCall => decodeCall(entry.plan, call, held.tools, baseToolNames);

function runOne(context: TurnContext, { id, decoded, call }: PlannedCall, besideLoad: boolean): Promise<ToolRun> {
  return inExecuteToolSpan(context, id, decoded.name || call.name, async () => {
    if (decoded.kind === 'bad-arguments') return refusedCall(id, decoded.name, 'invalid-arguments', decoded.message);
    if (decoded.kind === 'unknown') return refusedCall(id, decoded.name, 'unknown-tool', decoded.message);
    if (decoded.kind === 'base') return runOwnTool(context, id, decoded.name, decoded.arguments);
    const tool = context.held.tool(decoded.name);
    if (!tool) return refusedCall(id, decoded.name, 'unknown-tool', `There is no tool "${decoded.name}".`);
    if (besideLoad && tool.effect !== 'read') {
      return refusedCall(id, tool.name, 'read-instructions-first', `${tool.name} changes things. Read the instructions that were just loaded, then call it.`);
    }
    return runTool(context, id, tool, decoded.arguments);
  });
}

function itemsOf(context: TurnContext, text: string, planned: PlannedCall[], runs: { content: string }[], fresh: { skill: LoadedSkill; callId: string }[]): HistoryItem[] {
  const calls = planned.map(({ id, call }) => ({ id, name: call.name, arguments: call.arguments }));
  const results = planned.map(({ id }, i): HistoryItem => ({ kind: 'result', callId: id, content: capResult(runs[i]?.content ?? '').text }));
  const items: HistoryItem[] = [{ kind: 'assistant', text, calls }, ...results];
  if (fresh.length === 0) return items;
  const skills = fresh.map(({ skill }) => ({
    slug: skill.slug,
    version: skill.version,
    digest: skill.digest,
    source: skill.source,
    instructions: withSchemas(context, skill),
  }));
  return [...items, { kind: 'loaded', skills, callIds: Object.fromEntries(fresh.map(({ skill, callId }) => [skill.slug, callId])) }];
}

/** In `dispatch` the schemas of what a skill opened travel with its instructions: the `tools` array never changes. */
function withSchemas({ entry, held }: TurnContext, skill: LoadedSkill): string {
  if (entry.plan !== 'dispatch') return skill.instructions;
  const needed = new Set(skill.requires.profiles.flatMap((need) => need.split('|')));
  const tools = held.tools.filter((tool) => needed.has(tool.profile));
  return tools.length === 0 ? skill.instructions : `${skill.instructions}\n\n${renderSchemas(tools)}`;
}
