import { HouseError } from '@skillgate/contracts/refusal';
import { notRunResult } from '@skillgate/prompt/repair-history';
import { keepResult } from './keep-result.js';
import { answered, failed, refusedCall, stepOf, type ToolRun } from './run-tool.js';
import { type Settled, settleIntent } from './settle-intent.js';
import type { TurnContext } from './turn-context.js';
import type { Intent, OpenRound } from './turn-records.js';

/** Milliseconds for an executor to say what became of a call of an earlier attempt: as long as one needs that is being replaced. */
const patienceMs = 30_000;

/**
 * What the calls with effects of an earlier attempt came to. Those that never ran are left out: they may be made.
 *
 * @param approved whether approved calls are settled too. Where the turn goes on they are sent again as they were, under their own id
 *   and grant: settled as never run they could not be made any more, and their executor runs them once in any case
 */
export async function settleRound(context: TurnContext, { intents }: OpenRound, approved = false): Promise<Map<string, ToolRun>> {
  const runs = new Map<string, ToolRun>();
  await Promise.all(
    Object.entries(intents).map(async ([callId, intent]) => {
      if (intent.approved && !approved) return;
      const run = runOf(context, callId, intent, await settleIntent(context, intent, patienceMs));
      if (run) runs.set(callId, run);
    }),
  );
  return runs;
}

function runOf(context: TurnContext, callId: string, { tool, executor, effect, profile, skill }: Intent, settled: Settled): ToolRun | null {
  const step = { ...stepOf(callId, tool), executor, effect, profile, skill };
  if (settled.state === 'never') return null;
  if (settled.state === 'done') return answered(context, step, settled.result);
  const refused = settled.state === 'failed' && settled.error.kind === 'refusal';
  const error = settled.state === 'failed' ? new HouseError(settled.error) : null;
  const slug = error?.slug ?? 'call-unknown';
  const why = error && refused ? error.message : `The service that asked for ${tool} went away, and nobody can say how the call ended.`;
  const message = refused ? why : `${why} It may or may not have taken effect: check before you repeat it, and tell the user.`;
  context.publisher.progress({ stage: 'refused', tool, message });
  return failed({ ...step, decision: refused ? 'refused' : 'unknown', reason: slug }, slug, message);
}

/** Ends a round of a turn that does not go on: one result for each call, and what had happened is among them. */
export async function closeUnfinished(context: TurnContext, { text, calls }: OpenRound, settled: ReadonlyMap<string, ToolRun>): Promise<void> {
  const { journal, artifacts } = context;
  const runs = calls.map(({ id, name }) => settled.get(id) ?? { ...refusedCall(id, name, 'not-run', ''), content: notRunResult });
  const kept = await Promise.all(calls.map(({ id, name }, n) => keepResult(context, name, id, runs[n]!.content)));
  journal.history.push({ kind: 'assistant', text, calls }, ...calls.map(({ id }, n) => ({ kind: 'result' as const, callId: id, ...kept[n]! })));
  journal.steps.push(...runs.map(({ step }) => step));
  artifacts.push(...runs.flatMap((run) => run.artifacts));
  journal.closeRound();
}
