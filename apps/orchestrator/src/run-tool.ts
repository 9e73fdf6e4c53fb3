import { HouseError, isHouseError, isRefusal, isUnavailable, refuse, unavailable } from '@skillgate/contracts/refusal';
import type { HeldGrant, OpenedTool } from '@skillgate/contracts/calls/registry';
import type { RouteStep } from '@skillgate/contracts/route';
import type { ArtifactRef, ToolResult } from '@skillgate/contracts/tool-call';
import { callUnderGrant, isGrantTooOld } from './call-under-grant.js';
import { explainFailure } from './explain-failure.js';
import { notHeld, throwIfLeft, whileHeld } from './leave-turn.js';
import { settleIntent } from './settle-intent.js';
import type { TurnContext } from './turn-context.js';
import type { Intent } from './turn-records.js';

export type ToolStep = Extract<RouteStep, { kind: 'tool' }>;

export interface ToolRun {
  /** What the model reads, before it is capped. */
  content: string;
  step: ToolStep;
  artifacts: ArtifactRef[];
}

/** Milliseconds beyond a tool's own limit, so that its executor can still say that it was reached and what is done. */
const lastWordMs = 1_000;

/** Milliseconds in which the executor is asked what became of a call whose answer was lost. */
const lostAnswerMs = 5_000;

/**
 * Calls an opened tool at its executor under a grant. Whatever goes wrong becomes the one result of this call id.
 *
 * @param sentAs its id on the wire, from the intent where it has effects
 * @param approved the grant of a call that its user approved: for this call id and these arguments, and for no second try
 * @throws when the turn goes on elsewhere: its result is settled there
 */
export async function runTool(
  context: TurnContext,
  callId: string,
  tool: OpenedTool,
  args: Record<string, unknown>,
  sentAs = callId,
  approved?: HeldGrant,
): Promise<ToolRun> {
  const { publisher, held, signal } = context;
  const { name, profile, skill, executor, effect } = tool;
  publisher.progress({ stage: 'calling', tool: name, ...(skill && { skill }), message: `Calling ${name}` });
  const started = performance.now();
  const step: ToolStep = { ...stepOf(callId, name), profile, skill: skill || null, executor, effect };
  const done = (rest: Partial<ToolStep>): ToolStep => ({ ...step, ...rest, ms: Math.round(performance.now() - started) });
  let sent = false;
  try {
    const send = async (grant: HeldGrant) => {
      step.grantId = grant.id;
      signal.throwIfAborted();
      sent = true;
      return call(context, sentAs, tool, grant.grant, args).catch((error: unknown) => {
        sent = !isGrantTooOld(error); // what fails from here on is not the tool
        throw error;
      });
    };
    const result = await (approved ? send(approved) : callUnderGrant(held, tool, send));
    return answered(context, done({}), result);
  } catch (error) {
    throwIfLeft(signal);
    if (isRefusal(error, 'call-settled')) leave(context); // by whoever has the turn now
    // A tool with effects that was sent and gave no answer: its executor knows, or nobody does, and nobody repeats it blindly.
    const lost = sent && effect !== 'read' && isUnavailable(error) && mayHaveRun(error);
    // An approval that is too old now may have been used by an earlier attempt.
    const stale = approved !== undefined && isGrantTooOld(error);
    const settled = lost || stale ? await settleIntent(context, intentOf(tool, sentAs), lostAnswerMs) : null;
    if (settled?.state === 'done') return answered(context, done({}), settled.result);
    if (stale && settled?.state === 'unknown') sent = true;
    const cause = settled?.state === 'failed' ? new HouseError(settled.error) : stale ? staleApproval(settled?.state === 'never', tool) : error;
    const open = sent && effect !== 'read' && mayHaveRun(cause) && settled?.state !== 'never';
    const told = explainFailure(context, cause);
    publisher.progress({ stage: 'refused', tool: name, message: told.message });
    const decision = signal.aborted ? 'cancelled' : open ? 'unknown' : told.kind === 'refusal' ? 'refused' : 'failed';
    const message = open ? `${told.message} It may or may not have taken effect: check before you repeat it.` : told.message;
    return failed(done({ decision, reason: told.slug }), told.slug, message);
  }
}

const staleApproval = (never: boolean, { name }: OpenedTool): HouseError =>
  never
    ? refuse('approval-expired', `The user's approval of ${name} was not used in time, or the account's rights changed since. Call it again to ask anew.`)
    : unavailable('call-unknown', `Nobody can say how ${name} ended.`);

function leave(context: TurnContext): never {
  context.leave(notHeld());
  throw context.signal.reason;
}

/** What an executor gave, as the one result of a call. */
export function answered({ publisher }: TurnContext, step: ToolStep, { content, artifacts }: ToolResult): ToolRun {
  publisher.progress({ stage: 'called', tool: step.tool, message: `${step.tool} is done` });
  for (const artifact of artifacts) publisher.artifact(artifact);
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? null);
  return { content: text, artifacts, step: { ...step, decision: 'ok', artifacts } };
}

export const intentOf = ({ name, executor, effect, profile, skill }: OpenedTool, sentAs: string): Intent => ({
  ...{ sentAs, executor, effect, profile, skill },
  tool: name,
});

/** Stops waiting when the turn goes on elsewhere, and lets the executor work on. */
function call(context: TurnContext, callId: string, tool: OpenedTool, grant: string, args: Record<string, unknown>): Promise<ToolResult> {
  const { wire, turn, signal, callSignal, working, publisher } = context;
  const { executor, name, ownName = name, timeoutMs } = tool;
  const deadlineMs = timeoutMs + lastWordMs;
  return working.during(callId, { turn: turn.turn, executor, tool: name, publisher }, () =>
    whileHeld(signal, wire.callTool(executor, ownName, { arguments: args }, { grant, callId, turnId: turn.turn, deadlineMs, signal: callSignal })),
  );
}

/** These never reached the executor's tool. */
const neverRan: ReadonlySet<string> = new Set([
  ...['no-responder', 'executor-busy', 'ledger-unavailable', 'not-permitted', 'invalid-input', 'message-too-large', 'invalid-header', 'invalid-subject'],
]);

const mayHaveRun = (error: unknown): boolean => !isHouseError(error) || !(error.kind === 'refusal' || neverRan.has(error.slug) || notSent(error));

const notSent = ({ slug, details }: HouseError): boolean => slug === 'wire-disconnected' && details?.sent === false;

export const failed = (step: ToolStep, slug: string, message: string): ToolRun => ({
  content: JSON.stringify({ [step.decision === 'refused' ? 'refused' : 'error']: slug, message }),
  step,
  artifacts: [],
});

export const stepOf = (callId: string, tool: string): ToolStep => ({
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
