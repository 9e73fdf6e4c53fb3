import { type HouseError, refuse } from '@skillgate/contracts/refusal';
import { misfit } from './misfit.js';
import { bytesOf, mostArgumentBytes } from './require-edit.js';
import type { PlannedCall } from './run-round.js';
import { needsYes } from './suspend-turn.js';
import type { TurnContext } from './turn-context.js';

/**
 * By call id, why the model has to ask again: a user is not bothered with a call that its executor would refuse, or that is too long to
 * be shown to them whole.
 */
export function unfitCalls(context: TurnContext, calls: readonly PlannedCall[]): Map<string, HouseError> {
  const unfit = new Map<string, HouseError>();
  for (const { id, decoded } of calls.filter((call) => needsYes(context, call))) {
    const refusal = whyUnfit(decoded.name, context.held.tool(decoded.name)?.inputSchema, decoded.arguments);
    if (refusal) unfit.set(id, refusal);
  }
  return unfit;
}

function whyUnfit(tool: string, schema: Record<string, unknown> | undefined, args: Record<string, unknown>): HouseError | null {
  if (bytesOf(args) > mostArgumentBytes) {
    return refuse('arguments-too-large', `A user has to approve ${tool}, and can be shown arguments of at most ${mostArgumentBytes} bytes. Call it with less.`);
  }
  return schema ? misfit(tool, schema, args) : null;
}
