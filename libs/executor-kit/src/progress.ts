import type { ToolProgress } from '@skillgate/contracts/tool-call';

/** Milliseconds between two messages of one call: people cannot read faster, and a loop must not flood the wire. */
const spacingMs = 200;
/** Characters that the contract allows. */
const longestMessage = 300;

/**
 * `context.progress` of one call. Messages that follow too soon are left out, except the first and one that is complete
 * (`fraction` 1); progress is a courtesy, so a message that cannot be sent never fails the work.
 */
export function makeProgress(call: { callId: string; tool: string }, publish: (progress: ToolProgress) => void, now = Date.now) {
  let last = -Infinity;
  return (message: string, fraction?: number): void => {
    if (fraction !== 1 && now() - last < spacingMs) return;
    last = now();
    const shown = message.length > longestMessage ? `${message.slice(0, longestMessage - 1)}…` : message;
    const part = fraction === undefined || Number.isNaN(fraction) ? {} : { fraction: Math.min(1, Math.max(0, fraction)) };
    publish({ ...call, message: shown, ...part });
  };
}
