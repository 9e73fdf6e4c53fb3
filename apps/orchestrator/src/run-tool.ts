import { HouseError, isHouseError, refuse } from '@skillgate/contracts/refusal';
import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import type { RouteStep } from '@skillgate/contracts/route';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { TurnContext } from './turn-context.js';

type ToolStep = Extract<RouteStep, { kind: 'tool' }>;

export interface ToolRun {
  /** What the model reads, before it is capped. */
  content: string;
  step: ToolStep;
  artifacts: ArtifactRef[];
}

/** Calls an opened tool at its executor under a grant. Whatever goes wrong becomes the one result of this call id. */
export async function runTool(context: TurnContext, callId: string, tool: OpenedTool, args: Record<string, unknown>): Promise<ToolRun> {
  const { publisher, held, wire, turn, signal } = context;
  publisher.progress({ stage: 'calling', tool: tool.name, skill: tool.skill, message: `Calling ${tool.name}` });
  const started = performance.now();
  const step: ToolStep = { ...stepOf(callId, tool.name), profile: tool.profile, skill: tool.skill, executor: tool.executor, effect: tool.effect };
  const done = (rest: Partial<ToolStep>): ToolStep => ({ ...step, ...rest, ms: Math.round(performance.now() - started) });
  try {
    const grant = await held.grantFor(tool.executor);
    if (!grant) throw refuse('not-granted', `${tool.name} is not granted any more: ${whyWithheld(context, tool)}`);
    step.grantId = grant.id;
    const options = { grant: grant.grant, callId, turnId: turn.turn, deadlineMs: tool.timeoutMs, signal };
    const { content, artifacts } = await wire.callTool(tool.executor, tool.name, { arguments: args }, options);
    publisher.progress({ stage: 'called', tool: tool.name, message: `${tool.name} is done` });
    for (const artifact of artifacts) publisher.artifact(artifact);
    const text = typeof content === 'string' ? content : JSON.stringify(content ?? null);
    return { content: text, artifacts, step: done({ decision: 'ok', artifacts }) };
  } catch (error) {
    if (signal.aborted) return failed(done({ decision: 'cancelled', reason: 'cancelled' }), 'cancelled', 'The user stopped this turn.');
    const house = isHouseError(error) ? error : unexpected(context, error);
    publisher.progress({ stage: 'refused', tool: tool.name, message: house.message });
    const decision = house.kind === 'refusal' ? 'refused' : unknownOutcome(house, tool) ? 'unknown' : 'failed';
    const message = decision === 'unknown' ? `${house.message} It may or may not have taken effect: check before you repeat it.` : house.message;
    return failed(done({ decision, reason: house.slug }), house.slug, message);
  }
}

/** A tool with effects that was sent and not answered: nobody knows, so nobody repeats it blindly. */
const unknownOutcome = (error: HouseError, tool: OpenedTool): boolean =>
  tool.effect !== 'read' && ['deadline-passed', 'wire-disconnected', 'wire-closed'].includes(error.slug);

const whyWithheld = ({ held }: TurnContext, tool: OpenedTool): string =>
  held.withheld.find(({ name }) => name === `${tool.profile}/${tool.name}` || name === tool.profile)?.message ?? 'the account may no longer use it.';

function unexpected({ log }: TurnContext, error: unknown): HouseError {
  log.error({ err: error }, 'a tool call failed before it left the house');
  return new HouseError({ kind: 'defect', slug: 'internal', message: 'The platform failed to make this call.' });
}

const failed = (step: ToolStep, slug: string, message: string): ToolRun => ({
  content: JSON.stringify({ [step.decision === 'refused' ? 'refused' : 'error']: slug, message }),
  step,
  artifacts: [],
});

const stepOf = (callId: string, tool: string): ToolStep => ({
  kind: 'tool',
  ms: 0,
  callId,
  tool,
  profile: null,
  skill: null,
  executor: null,
  effect: null,
  grantId: null,
  decision: 'ok',
  reason: null,
  artifacts: [],
});

/** A call that never reached an executor: unknown, malformed, not now. */
export const refusedCall = (callId: string, tool: string, slug: string, message: string): ToolRun =>
  failed({ ...stepOf(callId, tool), decision: 'refused', reason: slug }, slug, message);

/** A call that the house itself answered. */
export const ownAnswer = (callId: string, tool: string, content: string): ToolRun => ({ content, step: stepOf(callId, tool), artifacts: [] });
