import { breach, isHouseError, refuse } from '@skillgate/contracts/refusal';
import type { ToolResult } from '@skillgate/contracts/tool-call';
import type { GrantClaims } from '@skillgate/contracts/tokens';
import type { CallLedger } from './call-ledger.js';
import type { CallSpan } from './call-span.js';
import { type NewestEpoch, type VerifyGrant, checkGrant } from './check-grant.js';
import type { Executor } from './define-executor.js';
import type { Tool } from './define-tool.js';
import type { JsonSchema } from './json-schema.js';
import { runTool } from './run-tool.js';
import type { SharedLedger } from './shared-ledger.js';
import type { Slots } from './slots.js';
import { stopSignal } from './stop-signal.js';
import type { ToolContext } from './tool-context.js';

/** One delivery on `tool.v1.<executor>.<tool>`. */
export interface ToolCall {
  tool: string;
  arguments: JsonSchema;
  callId?: string;
  turnId?: string;
  grant?: string;
  /** Fires at the caller's deadline or cancellation. */
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  deadline: number;
}

/** What an instance keeps for all calls. */
export interface Desk {
  executor: Executor;
  verify: VerifyGrant;
  newestEpoch: NewestEpoch;
  ledger: CallLedger;
  /** Of the executor's instances together. */
  shared: Pick<SharedLedger, 'claim'>;
  slots: Slots;
  openContext(call: ToolCall & { callId: string; grant: string }, claims: GrantClaims, signal: AbortSignal): ToolContext;
}

/**
 * Grant, then arguments, then the work: the order in which a call is decided. Every error is a typed one.
 * A call that is stopped is answered at once, even when its tool does not listen; its late result goes to the ledger.
 */
export async function answerCall(desk: Desk, call: ToolCall, span: CallSpan): Promise<ToolResult> {
  const { executor, ledger, slots, newestEpoch } = desk;
  const question = { token: call.grant, turn: call.turnId, executor: executor.name, tool: call.tool, callId: call.callId, arguments: call.arguments, newestEpoch };
  const claims = await checkGrant(question, desk.verify, (seen) => span.grant(seen.jti));
  const tool = knownTool(executor, call.tool);
  const { callId, grant } = call;
  if (!callId || !grant) throw breach('call-id-missing', `the caller of ${call.tool} sent no call-id header`);
  const input = tool.decode(call.arguments);

  const stop = stopSignal(tool, call.signal, call.deadline);
  const key = { account: claims.account, callId, turn: claims.turn, tool: call.tool, arguments: call.arguments };
  // An approval is used up by its call, also where the tool only reads.
  const enter = tool.manifest.effect === 'read' && !claims.call ? undefined : () => desk.shared.claim(key, stop.signal);
  const work = async () => runTool(tool, input, desk.openContext({ ...call, callId, grant }, claims, stop.signal), slots, stop, enter);
  const { outcome, replayed } = orElse(stop.clear, () => ledger.once(key, tool.manifest.effect, work));
  span.replayed(replayed);
  void outcome.then(stop.clear); // the tool's own limit holds until it ended, not until it was answered

  const ended = await Promise.race([outcome, stop.fired]);
  if (isHouseError(ended)) throw ended;
  if (ended.error) throw ended.error;
  return ended.result;
}

function orElse<T>(cleanUp: () => void, work: () => T): T {
  try {
    return work();
  } catch (error) {
    cleanUp();
    throw error;
  }
}

function knownTool(executor: Executor, name: string): Tool {
  const tool = executor.tools.get(name);
  if (tool) return tool;
  throw refuse(
    'unknown-tool',
    `The executor "${executor.name}" has no tool "${name.slice(0, 64)}"; it has ${[...executor.tools.keys()].join(', ')}.`,
  );
}
