import type { Verdict } from './health.js';

export interface Lifecycle {
  /** Aborted when the drain begins. */
  readonly draining: AbortSignal;
  serve(): void;
  drain(): void;
  /** Up while serving; else the detail says whether the service starts or drains. */
  verdict(): Verdict;
}

export function makeLifecycle(): Lifecycle {
  const goodbye = new AbortController();
  let stage = { name: 'starting', since: Date.now() };
  const enter = (name: string) => {
    stage = { name, since: Date.now() };
  };
  return {
    draining: goodbye.signal,
    serve: () => enter('serving'),
    drain: () => {
      enter('draining');
      goodbye.abort();
    },
    verdict: () => ({ up: stage.name === 'serving', since: stage.since, detail: stage.name }),
  };
}
