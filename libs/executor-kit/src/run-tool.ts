import { isHouseError, isRefusal } from '@skillgate/contracts/refusal';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { Tool } from './define-tool.js';
import { type Outcome, failed, succeeded, thrown } from './outcome.js';
import type { Claim } from './shared-ledger.js';
import type { Slots } from './slots.js';
import type { StopSignal } from './stop-signal.js';
import type { ArtifactFile, ToolArtifacts, ToolContext } from './tool-context.js';

/**
 * Runs a tool to its true end, which may come after its caller was answered. Never rejects.
 *
 * @param input what `tool.decode` gave
 * @param enter asked when everything else allows the call to begin: the right to run it, or how it ended before; may throw
 */
export async function runTool(tool: Tool, input: unknown, context: ToolContext, slots: Slots, stop: StopSignal, enter?: () => Promise<Claim | Outcome>): Promise<Outcome> {
  let release = (): void => {};
  try {
    release = await slots.take(stop.signal);
  } catch (error) {
    return failed(isHouseError(error) ? error : stop.error(false), false);
  }
  try {
    if (stop.isOver()) return failed(stop.error(false), false);
    const entered = await enter?.();
    if (entered && !('record' in entered)) return entered;
    // Between the claim and the tool nothing is awaited but this: a stop that came meanwhile is the last word.
    const outcome = stop.isOver() ? failed(stop.error(false), false) : await work(tool, input, context, stop);
    release(); // the ledger's word needs no slot
    await entered?.record(outcome);
    return outcome;
  } catch (error) {
    return { ...thrown(error), started: false } as Outcome;
  } finally {
    release();
  }
}

async function work(tool: Tool, input: unknown, context: ToolContext, stop: StopSignal): Promise<Outcome> {
  const { scrub } = context;
  const written: ArtifactRef[] = [];
  try {
    const output = await tool.run(input, { ...context, artifacts: remembering(context.artifacts, written) });
    return succeeded(tool, scrub?.value(output) ?? output, written);
  } catch (raw) {
    const error = scrub?.error(raw) ?? raw;
    // a tool that heard the signal throws whatever its libraries throw on abort
    if (stop.signal.aborted && !isRefusal(error)) return failed(stop.error(true));
    const outcome = thrown(error);
    if (outcome.error?.kind === 'defect') {
      context.log.error({ err: error, tool: tool.manifest.name, callId: context.callId }, 'tool failed');
    }
    return outcome;
  }
}

const remembering = (artifacts: ToolArtifacts, written: ArtifactRef[]): ToolArtifacts => ({
  read: (id) => artifacts.read(id),
  write: async (file: ArtifactFile) => {
    const ref = await artifacts.write(file);
    written.push(ref);
    return ref;
  },
});
