import type { DynamicModule, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { z } from 'zod';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import type { Wire } from '@skillgate/wire/wire';
import type { DrainStep } from './drain.js';
import type { Health } from './health.js';
import type { Log } from './log.js';
import type { Telemetry } from './telemetry.js';
import type { BaseConfig } from './variables.js';

/** What a service gets from the kit: as the argument of `module` and `http`, and by the tokens of `inject.ts`. */
export interface Kit<Config = BaseConfig> {
  readonly name: string;
  readonly config: Config;
  /** Connected. */
  readonly wire: Wire;
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** `health.add('database', check)` makes a part of `/health/ready`. */
  readonly health: Health;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the drain begins, while everything still works: say goodbye here. */
  readonly draining: AbortSignal;
  /**
   * For work that is no call, such as a turn that runs on after its acknowledgement: runs when no call comes in or is in
   * flight any more, before pools and connections close. `leftMs` is what it may take.
   */
  onDrain(what: string, step: DrainStep): void;
}

/** Everything that makes a service; `bootService` does the rest. */
export interface ServiceDefinition<C extends z.ZodObject = z.ZodObject> {
  /** As in its edges: its NATS user, `service.name` in traces and the suffix of its variables. */
  readonly name: string;
  readonly edges: ServiceEdges;
  /** The service's own variables, by their names in the environment. */
  readonly config: C;
  module(kit: Kit<z.output<C> & BaseConfig>): Type | DynamicModule | Promise<Type | DynamicModule>;
  /** Present: the service has an HTTP side. Called before the routes are mounted, for middleware and pipes. */
  http?(app: NestExpressApplication, kit: Kit<z.output<C> & BaseConfig>): void | Promise<void>;
}

/** Lets the type of `kit.config` follow from `config`. */
export const defineService = <C extends z.ZodObject>(definition: ServiceDefinition<C>): ServiceDefinition<C> => definition;
