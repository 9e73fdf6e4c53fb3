import { fetchImageName } from '@skillgate/prompt/base-tools';
import { refuse } from '@skillgate/contracts/refusal';
import { whyWithheld } from './call-under-grant.js';
import { explainFailure } from './explain-failure.js';
import { HeldTools } from './held-tools.js';
import { failed, runTool, stepOf, type ToolRun } from './run-tool.js';
import type { TurnContext } from './turn-context.js';

/**
 * Answers `fetch_image`, which belongs to an executor and needs no skill: under a grant that is asked for when it is called, since few turns
 * do. Whatever goes wrong is an answer that the model reads.
 */
export async function fetchImage(context: TurnContext, callId: string, args: Record<string, unknown>): Promise<ToolRun> {
  const { wire, ticket, signal, held } = context;
  const base = new HeldTools(wire, ticket, signal, () => held.newestEpoch, true);
  try {
    await base.openBase();
    const tool = base.tool(fetchImageName);
    // Whoever must be asked first is asked by the round, which knows the tools of skills alone.
    if (!tool || (tool.policy ?? 'allow') !== 'allow') throw notHere(base);
    return await runTool({ ...context, held: base }, callId, { ...tool, skill: '' }, args);
  } catch (error) {
    if (signal.aborted) throw error;
    const { kind, slug, message } = explainFailure(context, error);
    return failed({ ...stepOf(callId, fetchImageName), decision: kind === 'refusal' ? 'refused' : 'failed', reason: slug }, slug, message);
  }
}

function notHere(base: HeldTools): Error {
  const why = whyWithheld(base, { name: fetchImageName, profile: 'base' });
  return refuse('not-granted', `Images cannot be fetched here: ${why} Ask the user to attach the image.`);
}
