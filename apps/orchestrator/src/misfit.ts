import { type HouseError, isRefusal } from '@skillgate/contracts/refusal';
import { compileArguments } from '@skillgate/executor-kit/validate-arguments';

/**
 * What the executor's own check would refuse these arguments for, in words for a model and with `problems` in its details; null when they
 * fit. A schema that no check can be made of says nothing here: its executor has the last word in any case.
 */
export function misfit(tool: string, schema: Record<string, unknown>, args: Record<string, unknown>): HouseError | null {
  try {
    compileArguments(tool, schema)(args);
    return null;
  } catch (error) {
    return isRefusal(error, 'invalid-arguments') ? (error as HouseError) : null;
  }
}
