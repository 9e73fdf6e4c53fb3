import type { Log } from './log.js';
import { redactText } from './redact.js';

export interface PartHealth {
  readonly status: 'up' | 'down';
  /** When the part took this status, as far as this process saw: ISO 8601. */
  readonly since: string;
  readonly detail?: string;
  /** Numbers and names for whoever looks closer; no part of being ready. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export interface HealthReport {
  readonly service: string;
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, PartHealth>>;
}

/** What a part says of itself; a check that throws says `down` with the error's message. */
export interface Verdict {
  readonly up: boolean;
  /** Milliseconds since the epoch, where the part knows better than its observer. */
  readonly since?: number;
  readonly detail?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Returning or resolving with nothing means up. */
export type HealthCheck = () => void | Verdict | Promise<void | Verdict>;

export interface Health {
  /**
   * Throws when the name is taken: one check would hide the other. A check is asked once in `freshMs` milliseconds (500
   * unless given), however often probes come: they must not become load for what they check.
   */
  add(part: string, check: HealthCheck, freshMs?: number): void;
  report(): Promise<HealthReport>;
}

/** A check that hangs is a part that is down; probes commonly wait for one second. */
const checkMs = 800;

export function makeHealth(service: string, log: Log): Health {
  const parts = new Map<string, () => Promise<PartHealth>>();

  function watch(part: string, check: HealthCheck): () => Promise<PartHealth> {
    let last: PartHealth | undefined;
    return async () => {
      const { up, since, detail, facts } = await verdict(check);
      const status = up ? 'up' : 'down';
      const changed = last?.status !== status;
      const from = since ?? (changed ? Date.now() : Date.parse(last!.since));
      if (changed && (last || !up)) log[up ? 'info' : 'warn']({ part, detail }, `health: ${part} is ${status}`);
      last = { status, since: new Date(from).toISOString(), ...(detail ? { detail: redactText(detail) } : {}), ...(facts ? { facts } : {}) };
      return last;
    };
  }

  return {
    add: (part, check, freshMs = 500) => {
      if (parts.has(part)) throw new Error(`${service} has a health check "${part}" already; give the second another name`);
      parts.set(part, once(watch(part, check), freshMs));
    },
    report: async () => {
      const told = await Promise.all([...parts].map(async ([part, ask]) => [part, await ask()] as const));
      return { service, ready: told.every(([, { status }]) => status === 'up'), parts: Object.fromEntries(told) };
    },
  };
}

/** The same promise for everybody within `freshMs` milliseconds. */
function once<T>(ask: () => Promise<T>, freshMs: number): () => Promise<T> {
  let asked: Promise<T> | undefined;
  let until = 0;
  return () => {
    if (!asked || Date.now() >= until) {
      until = Date.now() + freshMs;
      asked = ask();
    }
    return asked;
  };
}

async function verdict(check: HealthCheck): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => resolve({ up: false, detail: `no answer within ${checkMs} ms` }), checkMs);
  });
  try {
    return (await Promise.race([check(), slow])) ?? { up: true };
  } catch (error) {
    return { up: false, detail: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
