import { type HouseError, isHouseError } from '@skillgate/contracts/refusal';
import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import type { RouteStep } from '@skillgate/contracts/route';
import type { ArtifactRef, ToolResult } from '@skillgate/contracts/tool-call';
import { callUnderGrant, isGrantTooOld } from './call-under-grant.js';
import { explainFailure } from './explain-failure.js';
import type { TurnContext } from './turn-context.js';

type ToolStep = Extract<RouteStep, { kind: 'tool' }>;

export interface ToolRun {
  /** What the model reads, before it is capped. */
  content: string;
  step: ToolStep;
  artifacts: ArtifactRef[];
}

/** Milliseconds beyond a tool's own limit, so that its executor can still say that it was reached and what is done. */
const lastWordMs = 1_000;

/** Calls an opened tool at its executor under a grant. Whatever goes wrong becomes the one result of this call id. */
export async function runTool(context: TurnContext, callId: string, tool: OpenedTool, args: Record<string, unknown>): Promise<ToolRun> {
  const { publisher, held, signal } = context;
  const { name, profile, skill, executor, effect } = tool;
  publisher.progress({ stage: 'calling', tool: name, skill, message: `Calling ${name}` });
  const started = performance.now();
  const step: ToolStep = { ...stepOf(callId, name), profile, skill, executor, effect };
  const done = (rest: Partial<ToolStep>): ToolStep => ({ ...step, ...rest, ms: Math.round(performance.now() - started) });
  let sent = false;
  try {
    const { content, artifacts } = await callUnderGrant(held, tool, async (grant) => {
      step.grantId = grant.id;
      signal.throwIfAborted();
      sent = true;
      return call(context, callId, tool, grant.grant, args).catch((error: unknown) => {
        sent = !isGrantTooOld(error); // what fails from here on is not the tool
        throw error;
      });
    });
    publisher.progress({ stage: 'called', tool: name, message: `${name} is done` });
    for (const artifact of artifacts) publisher.artifact(artifact);
    const text = typeof content === 'string' ? content : JSON.stringify(content ?? null);
    return { content: text, artifacts, step: done({ decision: 'ok', artifacts }) };
  } catch (error) {
    const told = explainFailure(context, error);
    publisher.progress({ stage: 'refused', tool: name, message: told.message });
    // A tool with effects that was sent and gave no answer: nobody knows, so nobody repeats it blindly.
    const open = sent && effect !== 'read' && mayHaveRun(error);
    const decision = signal.aborted ? 'cancelled' : open ? 'unknown' : told.kind === 'refusal' ? 'refused' : 'failed';
    const message = open ? `${told.message} It may or may not have taken effect: check before you repeat it.` : told.message;
    return failed(done({ decision, reason: told.slug }), told.slug, message);
  }
}

function call({ wire, turn, signal, working, publisher }: TurnContext, callId: string, tool: OpenedTool, grant: string, args: Record<string, unknown>): Promise<ToolResult> {
  const { executor, name, timeoutMs } = tool;
  const deadlineMs = timeoutMs + lastWordMs;
  return working.during(callId, { turn: turn.turn, executor, publisher }, () =>
    wire.callTool(executor, name, { arguments: args }, { grant, callId, turnId: turn.turn, deadlineMs, signal }),
  );
}

/** These never reached the executor's tool. */
const neverRan: ReadonlySet<string> = new Set([
  ...['no-responder', 'executor-busy', 'not-permitted', 'invalid-input', 'message-too-large', 'invalid-header', 'invalid-subject'],
]);

const mayHaveRun = (error: unknown): boolean => !isHouseError(error) || !(error.kind === 'refusal' || neverRan.has(error.slug) || notSent(error));

const notSent = ({ slug, details }: HouseError): boolean => slug === 'wire-disconnected' && details?.sent === false;

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
