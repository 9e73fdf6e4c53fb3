import { Controller, Get, Inject, Module, Param, Query } from '@nestjs/common';
import { context, trace } from '@opentelemetry/api';
import { z } from 'zod';
import { defineCall } from '@skillgate/contracts/define-call';
import { defineEvent, type EventPayload } from '@skillgate/contracts/define-event';
import { edgesOf } from '@skillgate/contracts/service-edges';
import { serviceContextKey } from '@skillgate/wire/service-context';
import type { Delivery } from '@skillgate/wire/delivery';
import { Hears, Serves } from '@skillgate/wire/serve';
import { Wire } from '@skillgate/wire/wire';
import { defineService, type Kit } from './boot.js';
import { CONFIG, KIT, LOG } from './inject.js';
import type { Log } from './log.js';

/** The house of this room's specs: `front` has an HTTP side and calls `back`, which only hears NATS. */

export const greet = defineCall('call.v1.back.greet', {
  input: z.object({ name: z.string() }),
  output: z.object({ text: z.string(), service: z.unknown() }),
});
export const wait = defineCall('call.v1.back.wait', {
  input: z.object({ ms: z.number() }),
  output: z.object({ waited: z.number() }),
  deadlineMs: 30_000,
});
export const spill = defineCall('call.v1.back.spill', { input: z.object({}), output: z.object({}) });

export const greeted = defineEvent('event.v1.front.greeted', z.object({ name: z.string() }));

export const frontEdges = edgesOf({
  service: 'front',
  serves: [],
  calls: [greet, wait, spill],
  emits: [greeted],
  hears: [],
  publishes: ['cancel.v1.*'],
});
export const backEdges = edgesOf({ service: 'back', serves: [greet, wait, spill], calls: [], emits: [], hears: [greeted] });

/** What must never be seen again. */
export const canary = { token: 'sk-test-000', url: 'https://x.example/cb?code=abc' };
export const canaryShape = /sk-test-000|code=abc/;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());

@Controller()
class BackHandlers {
  constructor(
    @Inject(CONFIG) private readonly config: { SKILLGATE_GREETING: string },
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Serves(greet)
  async greet({ name }: { name: string }) {
    return trace.getTracer('spec').startActiveSpan('think', async (span) => {
      this.log.info('greeting');
      span.end();
      return { text: `${this.config.SKILLGATE_GREETING}, ${name}`, service: context.active().getValue(serviceContextKey) };
    });
  }

  @Serves(wait)
  async wait({ ms }: { ms: number }) {
    await sleep(ms);
    return { waited: ms };
  }

  @Hears(greeted)
  async greeted({ name }: EventPayload<typeof greeted>, { id, attempt }: Delivery) {
    this.log.info({ name, id, attempt }, 'heard of a greeting');
  }

  @Serves(spill)
  async spill(): Promise<Record<string, never>> {
    const error = new Error(`the tool failed with ${JSON.stringify(canary)}`, { cause: canary });
    const span = trace.getActiveSpan();
    span?.setAttributes({ ...canary, note: canary.url, list: [canary.token, canary.url] });
    span?.recordException(error);
    span?.addEvent(`got ${canary.token}`, canary);
    span?.setStatus({ code: 2, message: error.message });
    this.log.warn({ ...canary, request: canary }, 'called with %j', canary);
    throw error;
  }
}

@Module({ controllers: [BackHandlers] })
class BackModule {}

export const back = defineService({
  name: 'back',
  edges: backEdges,
  config: z.object({ SKILLGATE_GREETING: z.string().default('Hello').meta({ example: 'Hello' }) }),
  module: () => BackModule,
});

@Controller()
class FrontRoutes {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(KIT) private readonly kit: Kit,
  ) {}

  @Get('greet')
  async greet(@Query('name') name: string) {
    return { ...(await this.wire.call(greet, { name })), askedBy: context.active().getValue(serviceContextKey) };
  }

  @Get('wait/:ms')
  wait(@Param('ms') ms: string) {
    this.kit.log.info('waiting');
    return this.wire.call(wait, { ms: Number(ms) });
  }

  @Get('spill')
  async spill() {
    return this.wire.call(spill, {}).catch((error: Error) => ({ told: error.message }));
  }
}

@Module({ controllers: [FrontRoutes] })
class FrontModule {}

export const front = defineService({
  name: 'front',
  edges: frontEdges,
  config: z.object({}),
  module: () => FrontModule,
  http: () => undefined,
});
