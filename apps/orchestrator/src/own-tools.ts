import { explainFailure } from './explain-failure.js';
import { fetchImage } from './fetch-image.js';
import { listSkills } from './list-skills.js';
import { failed, ownAnswer, refusedCall, type ToolRun } from './run-tool.js';
import { searchEarlierChats } from './search-earlier-chats.js';
import { readLoadedFile, readSkillFileName } from './skill-file-tool.js';
import type { TurnContext } from './turn-context.js';

/** The base tools that the orchestrator owns, `load_skill` aside: it is the gate and has a file of its own. */
export async function runOwnTool(context: TurnContext, callId: string, name: string, args: Record<string, unknown>): Promise<ToolRun> {
  switch (name) {
    case 'list_skills':
      return answer(context, callId, name, () => listSkills(context, args));
    case readSkillFileName:
      return answer(context, callId, name, () => readLoadedFile(context, args));
    case 'search_chats':
      return answer(context, callId, name, () => searchEarlierChats(context, args));
    case 'fetch_image':
      return fetchImage(context, callId, args);
    default:
      return refusedCall(callId, name, 'unknown-tool', `There is no tool "${name}".`);
  }
}

/** An outage of the house is an answer that the model reads, never an error of the turn. */
async function answer(context: TurnContext, callId: string, name: string, work: () => Promise<string>): Promise<ToolRun> {
  const started = performance.now();
  try {
    const run = ownAnswer(callId, name, await work());
    return { ...run, step: { ...run.step, ms: Math.round(performance.now() - started) } };
  } catch (error) {
    const { kind, slug, message } = explainFailure(context, error);
    const decision = context.signal.aborted ? 'cancelled' : kind === 'refusal' ? 'refused' : 'failed';
    const { step } = ownAnswer(callId, name, '');
    return failed({ ...step, decision, reason: slug, ms: Math.round(performance.now() - started) }, slug, message);
  }
}
