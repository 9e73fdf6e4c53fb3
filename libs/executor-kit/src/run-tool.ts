import { isHouseError, isRefusal } from '@skillgate/contracts/refusal';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { Tool } from './define-tool.js';
import { type Outcome, failed, succeeded, thrown } from './outcome.js';
import type { Slots } from './slots.js';
import type { StopSignal } from './stop-signal.js';
import type { ArtifactFile, ToolArtifacts, ToolContext } from './tool-context.js';

/**
 * Runs a tool to its true end, which may come after its caller was answered. Never rejects.
 *
 * @param input what `tool.decode` gave
 */
export async function runTool(tool: Tool, input: unknown, context: ToolContext, slots: Slots, stop: StopSignal): Promise<Outcome> {
  let release = (): void => {};
  try {
    release = await slots.take(stop.signal);
  } catch (error) {
    return failed(isHouseError(error) ? error : stop.error(false), false);
  }
  if (stop.isOver()) {
    release();
    return failed(stop.error(false), false);
  }
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
  } finally {
    release();
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
