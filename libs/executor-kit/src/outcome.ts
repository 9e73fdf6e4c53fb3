import { HouseError, breach, isHouseError, refuse } from '@skillgate/contracts/refusal';
import type { ArtifactRef, ToolResult } from '@skillgate/contracts/tool-call';
import type { Tool } from './define-tool.js';
import { maxResultBytes } from './limits.js';

/** How one call ended. `started` is false when the tool was never entered, so that the call may come again. */
export type Outcome =
  { started: boolean; result: ToolResult; bytes: number; error?: undefined } | { started: boolean; error: HouseError; result?: undefined };

export const failed = (error: HouseError, started = true): Outcome => ({ started, error });

/** Checks and measures what a tool gave back. Bytes are those of the JSON in UTF-8. */
export function succeeded(tool: Tool, output: unknown, artifacts: ArtifactRef[]): Outcome {
  const { name } = tool.manifest;
  const checked = tool.checkOutput ? tool.checkOutput(output) : { data: output };
  if ('problem' in checked) return failed(breach('invalid-tool-output', `${name} answered outside its own schema: ${checked.problem}`));

  const result = { content: checked.data ?? null, artifacts };
  let bytes: number;
  try {
    bytes = Buffer.byteLength(JSON.stringify(result));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    return failed(breach('unserialisable-result', `${name} answered with something that is no JSON: ${why}`));
  }
  if (bytes > maxResultBytes) {
    const message = `${name} did its work, but its result of ${bytes} bytes is over the limit of ${maxResultBytes}. Ask for less of it.`;
    return failed(refuse('result-too-large', message, { bytes, limit: maxResultBytes, artifacts }));
  }
  return { started: true, result, bytes };
}

/** A thrown error that is typed travels as it is; everything else is a defect, whose words stay in the log. */
export function thrown(error: unknown): Outcome {
  if (isHouseError(error)) return failed(error);
  return failed(
    new HouseError({ kind: 'defect', slug: 'internal', message: 'The tool failed inside. Its log has the cause.' }, { cause: error }),
  );
}
