import { refuse } from '@skillgate/contracts/refusal';
import type { AskedCall } from './approvals-store.js';
import { misfit } from './misfit.js';

/** Bytes of a call's arguments, as asked and as edited: a decision and its answer carry both in one message, beside grant and ticket. */
export const mostArgumentBytes = 216 * 1024;

type Asked = Pick<AskedCall, 'tool' | 'inputSchema' | 'arguments'>;

/**
 * May a call be made with these arguments in place of its own?
 *
 * @throws refusal `arguments-too-large` or `invalid-arguments`
 */
export function requireEdit({ tool, inputSchema, arguments: asked }: Asked, edit: Record<string, unknown>): void {
  const room = mostArgumentBytes - bytesOf(asked);
  const bytes = bytesOf(edit);
  if (bytes > room) {
    const message = `These arguments have ${bytes} bytes; beside those that the call was asked with there is room for ${room}. Shorten them, or deny the call.`;
    throw refuse('arguments-too-large', message, { param: 'arguments', limitBytes: room });
  }
  const found = inputSchema && misfit(tool, inputSchema, edit);
  if (!found) return;
  const problems = found.details?.problems as string[];
  const message = `These arguments do not fit ${tool}: ${problems.join('; ')}. Nothing was decided: send them corrected, or approve or deny the call as it is.`;
  throw refuse('invalid-arguments', message, { param: 'arguments', problems });
}

export const bytesOf = (args: Record<string, unknown>): number => Buffer.byteLength(JSON.stringify(args));
