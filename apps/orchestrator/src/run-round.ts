import type { HouseError } from '@skillgate/contracts/refusal';
import type { RouteStep } from '@skillgate/contracts/route';
import type { ClientCall } from '@skillgate/contracts/turn-stream';
import { baseToolNames, loadSkillName } from '@skillgate/prompt/base-tools';
import { type DecodedCall, decodeCall } from '@skillgate/prompt/decode-call';
import type { HistoryCall, HistoryItem } from '@skillgate/prompt/history';
import { clientNames } from './client-tools.js';
import { intendCalls } from './intend-calls.js';
import { type KeptResult, keepResult } from './keep-result.js';
import { throwIfLeft } from './leave-turn.js';
import { loadSkill } from './load-skill.js';
import { type Fresh, loadedItem } from './loaded-item.js';
import { runOwnTool } from './own-tools.js';
import { pinsWith } from './pins.js';
import { runDecided } from './run-decided.js';
import { refusedCall, runTool, stepOf, type ToolRun } from './run-tool.js';
import { readSkillFileName } from './skill-file-tool.js';
import { inExecuteToolSpan } from './spans.js';
import { needsYes, suspendTurn } from './suspend-turn.js';
import type { TurnContext } from './turn-context.js';
import { unfitCalls } from './unfit-calls.js';

export interface PlannedCall {
  id: string;
  call: HistoryCall;
  decoded: DecodedCall;
}

type Run = Pick<ToolRun, 'content' | 'artifacts'> & { step: RouteStep };

/**
 * All calls of one model answer. Loads go first, since what they open decides on the rest; `read` tools asked for beside
 * a load run against the opened registry, tools with effects wait until the model has read its instructions. Every call
 * id gets exactly one result, in the order of the calls. Calls with effects are written down before the first is sent. Where a call
 * needs its user's yes the whole round waits for it, and its turn with it; one that could not be made anyway is nobody's to approve.
 *
 * Calls of the client's own tools have no result here: they are given back, and their client goes on with their results.
 *
 * @param settled what calls of an earlier attempt came to
 * @throws when the turn waits for its user or goes on elsewhere, or the journal does not take an intent: nothing was sent then
 */
export async function runRound(
  context: TurnContext,
  text: string,
  calls: readonly HistoryCall[],
  callsLeft: number,
  settled: ReadonlyMap<string, ToolRun> = new Map(),
): Promise<ClientCall[]> {
  const planned = calls.map((call) => ({ id: call.id, call, decoded: decode(context, call) }));
  const results = new Map<string, Run>(settled);
  const open = planned.filter(({ id }) => !results.has(id));
  const loads = open.filter(isLoad).slice(0, Math.max(callsLeft, 0));
  const fresh = await runLoads(context, loads, results);
  const others = open.filter((call) => !isLoad(call) && !isClients(call)).slice(0, Math.max(callsLeft - loads.length, 0));
  // Calls decoded before the load named tools that only now are open.
  const again = fresh.length > 0 ? others.map((each) => ({ ...each, decoded: decode(context, each.call) })) : others;
  const besideLoad = fresh.length > 0;
  const unfit = unfitCalls(context, besideLoad ? [] : again);
  const sendable = again.filter(({ id }) => (besideLoad ? context.decided.has(id) : !unfit.has(id)));
  const asking = besideLoad ? [] : sendable.filter((each) => needsYes(context, each));
  if (asking.length > 0) await suspendTurn(context, { text, calls: [...calls] }, asking);
  const sentAs = await intendCalls(context, { text, calls: [...calls] }, sendable);
  await Promise.all(again.map(async (each) => results.set(each.id, await runOne(context, each, besideLoad, sentAs.get(each.id), unfit.get(each.id)))));
  throwIfLeft(context.signal);
  const handed = planned.flatMap(({ id, decoded }) => (decoded.kind === 'client' && !results.has(id) ? [{ id, name: decoded.name, arguments: decoded.text }] : []));
  const ours = planned.filter(({ id }) => !handed.some((call) => call.id === id));
  const runs = ours.map(({ id, decoded }) => results.get(id) ?? refusedCall(id, decoded.name, 'turn-limit', noCallsLeft));
  const kept = await Promise.all(ours.map(({ id, decoded, call }, at) => keepResult(context, decoded.name || call.name, id, runs[at]!.content)));
  const { journal, artifacts } = context;
  if (sentAs.size > 0 || settled.size > 0 || context.decided.size > 0) journal.closeRound();
  artifacts.push(...runs.flatMap((run) => run.artifacts));
  journal.history.push(...itemsOf(context, text, calls, ours, kept, fresh, handed.map(({ id }) => id)));
  journal.steps.push(...runs.map((run) => run.step), ...handed.map(({ id, name }): RouteStep => ({ ...stepOf(id, name), reason: 'handed-to-client' })));
  if (fresh.length === 0) return handed;
  context.pinned = pinsWith(context.pinned, fresh.map(({ skill }) => skill));
  journal.pin(context.pinned);
  return handed;
}

const noCallsLeft = 'This turn has used up its tool calls. Answer with what you have, and say what is left to do.';

/** One behind the other: each shows the registry the receipts of those before it. */
async function runLoads(context: TurnContext, loads: readonly PlannedCall[], results: Map<string, Run>): Promise<Fresh[]> {
  const fresh: Fresh[] = [];
  for (const { id, decoded } of loads) {
    const load = await inExecuteToolSpan(context, id, loadSkillName, () => loadSkill(context, id, decoded.arguments.slug));
    results.set(id, { ...load, artifacts: [] });
    if (!load.skill) continue;
    context.loaded.push(load.skill);
    fresh.push({ skill: load.skill, callId: id });
  }
  return fresh;
}

const isClients = ({ decoded }: PlannedCall): boolean => decoded.kind === 'client';
const isLoad = ({ decoded }: PlannedCall): boolean => decoded.kind === 'base' && decoded.name === loadSkillName;

/** Without tools there is nothing to name: not even the base tools were offered. */
const decode = ({ entry, held, toolsAllowed, turn }: TurnContext, call: HistoryCall): DecodedCall =>
  decodeCall(entry.plan, call, held.tools, toolsAllowed ? baseToolNames : [], clientNames(turn));

function runOne(context: TurnContext, { id, decoded, call }: PlannedCall, besideLoad: boolean, sentAs?: string, unfit?: HouseError): Promise<ToolRun> {
  return inExecuteToolSpan(context, id, decoded.name || call.name, async () => {
    if (decoded.kind === 'bad-arguments') return refusedCall(id, decoded.name, 'invalid-arguments', decoded.message);
    if (decoded.kind === 'unknown') return refusedCall(id, decoded.name, 'unknown-tool', decoded.message);
    if (unfit) return refusedCall(id, decoded.name, unfit.slug, unfit.message);
    if (decoded.kind === 'base') return runOwnTool(context, id, decoded.name, decoded.arguments);
    const tool = context.held.tool(decoded.name);
    if (!tool) return refusedCall(id, decoded.name, 'unknown-tool', `There is no tool "${decoded.name}".`);
    if (tool.name === readSkillFileName) return runOwnTool(context, id, tool.name, decoded.arguments);
    const decided = context.decided.get(id);
    if (decided) return runDecided(context, id, tool, decided);
    if (besideLoad && (tool.effect !== 'read' || tool.policy === 'confirm')) {
      return refusedCall(id, tool.name, 'read-instructions-first', `${tool.name} changes things. Read the instructions that were just loaded, then call it.`);
    }
    return runTool(context, id, tool, decoded.arguments, sentAs);
  });
}

function itemsOf(context: TurnContext, text: string, calls: readonly HistoryCall[], ours: readonly PlannedCall[], kept: readonly KeptResult[], fresh: readonly Fresh[], handed: string[]): HistoryItem[] {
  const results = ours.map(({ id }, at): HistoryItem => ({ kind: 'result', callId: id, ...kept[at]! }));
  const loaded = loadedItem(context, fresh);
  return [{ kind: 'assistant', text, calls: [...calls], ...(handed.length > 0 && { handed }) }, ...results, ...(loaded ? [loaded] : [])];
}
