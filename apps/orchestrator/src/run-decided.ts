import type { ApprovalStep } from '@skillgate/contracts/approval';
import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import type { DecidedCall } from './approvals-store.js';
import { failed, runTool, stepOf, type ToolRun } from './run-tool.js';
import type { TurnContext } from './turn-context.js';

/** What a user decided on is made as it was decided, under the grant that came with it, or refused with the user's reason. */
export async function runDecided(context: TurnContext, callId: string, tool: OpenedTool, decided: DecidedCall): Promise<ToolRun> {
  const { call, grant, status, edited } = decided;
  if (!grant || (status !== 'approved' && status !== 'edited')) return denied(context, callId, tool, decided);
  const run = await runTool(context, callId, tool, edited ?? call.arguments, callId, grant);
  const content = edited ? `${editedMark(edited)}\n${run.content}` : run.content;
  return { ...run, content, step: { ...run.step, approval: approvalOf(decided, status) } };
}

function denied({ publisher }: TurnContext, callId: string, { name, profile, skill, executor, effect }: OpenedTool, decided: DecidedCall): ToolRun {
  const message = `The user did not allow this call${decided.reason ? `: ${decided.reason}` : '.'}`;
  publisher.progress({ stage: 'refused', tool: name, message });
  const step = { ...stepOf(callId, name), profile, skill, executor, effect, decision: 'refused' as const, reason: 'approval-denied' };
  const told = `${message} Do not make it again as it was: do without it, or ask the user what to do.`;
  return failed({ ...step, approval: approvalOf(decided, 'denied') }, 'approval-denied', told);
}

const approvalOf = ({ id, by, call, edited }: DecidedCall, decision: ApprovalStep['decision']): ApprovalStep => ({
  ...{ id, decision, by: by ?? '' },
  askedHash: call.argumentsHash,
  argumentsHash: edited ? argumentsHash(edited) : call.argumentsHash,
});

/** Stands in the result, since the model's own call stays as the model wrote it. */
export const editedMark = (args: Record<string, unknown>): string =>
  `[The user changed the arguments of this call before allowing it. It was made with ${JSON.stringify(args)}]`;
