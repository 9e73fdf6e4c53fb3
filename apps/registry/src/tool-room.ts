import { baseTools } from '@skillgate/prompt/base-tools';
import type { ApprovedTool } from './approved-tool.js';

/** Largest `tools` array that OpenAI's chat completions accept; compatible servers follow it. */
const providerLimit = 128;
/** The base tools ride in every request beside what skills open. */
export const maxOpenTools = providerLimit - baseTools.length;
/** Bytes of definitions in one answer; the message limit of 256 KiB also holds grants and reasons. */
const maxBytes = 192 * 1024;

export interface Room {
  readonly tools: number;
  readonly bytes: number;
}

/** @returns what is taken once these tools are in, or undefined when they do not fit as a whole: nothing is cut in half. */
export function fits(taken: Room, tools: readonly ApprovedTool[]): Room | undefined {
  const bytes = tools.reduce((sum, tool) => sum + Buffer.byteLength(JSON.stringify([tool.description, tool.inputSchema])), taken.bytes);
  const room = { tools: taken.tools + tools.length, bytes };
  return room.tools <= maxOpenTools && room.bytes <= maxBytes ? room : undefined;
}

export const noRoom = {
  slug: 'too-many-tools',
  message: `Already as many tools are open as one request can carry (${maxOpenTools}); start a new chat for this part of the work.`,
} as const;
