import { randomUUID } from 'node:crypto';
import { heartbeatMs } from '@skillgate/contracts/tool-manifest';
import type { Wire } from '@skillgate/wire/wire';
import type { Executor } from './define-executor.js';
import { manifestOf } from './manifest.js';

export interface Presence {
  /** Silent from here on. */
  stop(): void;
}

/** Announces an instance now and at every heartbeat, and that it leaves when the drain begins. */
export function startPresence(executor: Executor, wire: Pick<Wire, 'announce'>, draining: AbortSignal): Presence {
  const instance = randomUUID();
  const manifest = manifestOf(executor);
  const say = (state: 'serving' | 'leaving'): void => void wire.announce({ ...manifest, instance, state });
  const beat = setInterval(say, heartbeatMs, 'serving');
  const stop = (): void => {
    clearInterval(beat);
    draining.removeEventListener('abort', leave);
  };
  const leave = (): void => {
    stop();
    say('leaving');
  };
  draining.addEventListener('abort', leave, { once: true });
  say('serving');
  return { stop };
}
