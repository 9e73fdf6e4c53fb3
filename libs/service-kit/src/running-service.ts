import type { INestApplicationContext } from '@nestjs/common';
import type { Wire } from '@skillgate/wire/wire';
import type { Health } from './health.js';
import type { Log } from './log.js';
import type { Telemetry } from './telemetry.js';

export interface RunningService {
  readonly name: string;
  /** Of a service with an HTTP side: `http://host:port`. */
  readonly url?: string;
  readonly app: INestApplicationContext;
  readonly wire: Wire;
  readonly health: Health;
  readonly telemetry: Telemetry;
  readonly log: Log;
  /**
   * Drains within `budgetMs` milliseconds, SKILLGATE_DRAIN_MS unless given: not ready, takes nothing new, ends what is in
   * flight, sends its traces, closes pools and connections. Once; rejects when something was cut or failed.
   */
  stop(budgetMs?: number): Promise<void>;
}
