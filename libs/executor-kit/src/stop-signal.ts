import { type HouseError, isHouseError, refuse, unavailable } from '@skillgate/contracts/refusal';
import type { Tool } from './define-tool.js';

/** The end of a call that comes from outside the tool: its caller cancelled or gave up, the service drains, or its time is over. */
export interface StopSignal {
  signal: AbortSignal;
  /** Asks the clock beside the signal: after a tool that kept the process busy its timers are late. */
  isOver(): boolean;
  /** Why it fired, as the call's answer; `entered` says whether the tool had begun. */
  error(entered: boolean): HouseError;
  /**
   * Resolves, with the answer of a tool that had begun, when the signal has fired and whoever listens to it had the
   * same turn of the event loop to answer: a tool by itself, the line of waiting calls that nothing began. Never rejects.
   */
  fired: Promise<HouseError>;
  clear(): void;
}

/**
 * @param caller its reason is a `HouseError` of kind unavailable: `cancelled`, `deadline-passed` or `draining`
 * @param deadline of the caller, in milliseconds since the epoch
 */
export function stopSignal(tool: Tool, caller: AbortSignal, deadline = Infinity): StopSignal {
  const { name, timeoutMs, effect } = tool.manifest;
  const stop = new AbortController();
  const tooLong = refuse('tool-timeout', `${name} was stopped after ${timeoutMs / 1000} s. Ask it for less at once.`);
  const onCaller = (): void =>
    stop.abort(isHouseError(caller.reason) ? caller.reason : unavailable('cancelled', `${name} was stopped by its caller.`));
  const timer = setTimeout(() => stop.abort(tooLong), timeoutMs);
  if (caller.aborted) onCaller();
  else caller.addEventListener('abort', onCaller, { once: true });

  const isOver = (): boolean => {
    if (Date.now() >= deadline && !stop.signal.aborted)
      stop.abort(unavailable('deadline-passed', `${name} was not started: its deadline had passed`));
    return stop.signal.aborted;
  };
  const error = (entered: boolean): HouseError => {
    const { slug, message } = stop.signal.reason as HouseError;
    // "unavailable" would say that the call may be repeated, and half a write must not be
    if (entered && effect !== 'read')
      return refuse(slug, `${message}. Part of its work may be done: look before you repeat it.`.replace('..', '.'));
    return stop.signal.reason as HouseError;
  };
  const fired = new Promise<HouseError>((resolve) => {
    const tell = (): void => void setImmediate(() => resolve(error(true)));
    if (stop.signal.aborted) tell();
    else stop.signal.addEventListener('abort', tell, { once: true });
  });
  const clear = (): void => {
    clearTimeout(timer);
    caller.removeEventListener('abort', onCaller);
  };
  return { signal: stop.signal, isOver, error, fired, clear };
}
