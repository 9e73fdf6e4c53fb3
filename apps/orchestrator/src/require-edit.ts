import type { Approval } from '@skillgate/contracts/calls/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';

/** Bytes of a call's arguments, as asked and as edited: a decision and its answer carry both in one message, beside grant and ticket. */
export const mostArgumentBytes = 216 * 1024;

/**
 * May a call be made with these arguments in place of its own?
 *
 * @throws refusal `arguments-too-large`
 */
export function requireEdit({ arguments: asked }: Pick<Approval, 'arguments'>, edit: Record<string, unknown>): void {
  const room = mostArgumentBytes - bytesOf(asked);
  const bytes = bytesOf(edit);
  if (bytes <= room) return;
  const message = `These arguments have ${bytes} bytes; beside those that the call was asked with there is room for ${room}. Shorten them, or deny the call.`;
  throw refuse('arguments-too-large', message, { param: 'arguments', limitBytes: room });
}

const bytesOf = (args: Record<string, unknown>): number => Buffer.byteLength(JSON.stringify(args));
