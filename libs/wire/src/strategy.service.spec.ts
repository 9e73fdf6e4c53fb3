import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Injectable, type Type, UseInterceptors, type NestInterceptor, type ExecutionContext, type CallHandler } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern } from '@nestjs/microservices';
import type { CallParsedInput } from '@skillgate/contracts/define-call';
import { defineEvent, type EventPayload } from '@skillgate/contracts/define-event';
import { refuse } from '@skillgate/contracts/refusal';
import { eventStream } from '@skillgate/contracts/streams';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { map } from 'rxjs';
import { z } from 'zod';
import { askerEdges, failure, greet, startHouse, tellerEdges, type TestHouse, until, whoAmI } from '../spec-support/house.js';
import type { CallContext } from './call-context.js';
import { Hears, Serves } from './serve.js';
import { WireStrategy } from './strategy.js';
import type { Wire } from './wire.js';

const rang = defineEvent('event.v1.asker.rang', z.object({ n: z.number() }));
const heard: string[] = [];

@Injectable()
class Shout implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((answer: { greeting: string }) => ({ greeting: answer.greeting.toUpperCase() })));
  }
}

@Controller()
class Teller {
  @Serves(greet)
  async greet({ name }: CallParsedInput<typeof greet>, context: CallContext) {
    if (name === 'nobody') throw refuse('unknown-name', 'Try Ada');
    if (name === 'bug') throw new TypeError('swordfish');
    return { greeting: `hello ${name}, ${context.signal.aborted ? 'too late' : 'in time'}` };
  }

  @Serves(whoAmI)
  async whoAmI(_input: CallParsedInput<typeof whoAmI>, { caller = 'nobody' }: CallContext) {
    return { caller };
  }

  @Hears(rang)
  async rang({ n }: EventPayload<typeof rang>) {
    heard.push(`a${n}`);
    if (n === 2) throw new Error('cannot hear that');
  }

  @Hears(rang)
  async rangToo({ n }: EventPayload<typeof rang>) {
    heard.push(`b${n}`);
  }
}

@Controller()
class Shouting {
  @UseInterceptors(Shout)
  @Serves(greet)
  async greet({ name }: CallParsedInput<typeof greet>) {
    return { greeting: name };
  }
}

@Controller()
class Twice {
  @Serves(greet)
  async again() {
    return { greeting: 'again' };
  }
}

@Controller()
class Bare {
  @MessagePattern('call.v1.teller.bare')
  bare() {
    return 1;
  }
}

describe('a Nest controller on the wire', () => {
  let house: TestHouse;
  let teller: Wire;
  let asker: Wire;
  let closeApp: (() => Promise<void>) | undefined;

  beforeEach(async () => {
    heard.length = 0;
    house = await startHouse([
      { ...tellerEdges, hears: [rang] },
      { ...askerEdges, emits: [rang] },
    ]);
    [teller, asker] = await Promise.all([house.wire('teller'), house.wire('asker')]);
    await asker.reconcileStreams([eventStream('asker')]);
  });
  afterEach(async () => {
    await closeApp?.();
    closeApp = undefined;
    await house.stop();
  });

  const run = async (controllers: Type[], edges?: ServiceEdges): Promise<void> => {
    class Module {}
    const app = await NestFactory.createMicroservice(
      { module: Module, controllers },
      { strategy: new WireStrategy(teller, edges), logger: false, abortOnError: false },
    );
    closeApp = () => app.close();
    await app.listen();
  };

  it('answers calls, and knows its caller where the broker proves it', async () => {
    await run([Teller]);
    expect(await asker.call(greet, { name: 'Ada' })).toEqual({ greeting: 'hello Ada, in time' });
    expect(await asker.call(whoAmI, {})).toEqual({ caller: 'asker' });
  });

  it('refuses and fails like any other handler', async () => {
    await run([Teller]);
    expect(await failure(asker.call(greet, { name: 'nobody' }))).toMatchObject({ kind: 'refusal', slug: 'unknown-name' });
    expect(await failure(asker.call(greet, { name: 'bug' }))).toMatchObject({ kind: 'defect', message: 'internal error' });
    expect(String(house.lines.find(({ level }) => level === 'error')?.facts.err)).toContain('swordfish');
  });

  it('has interceptors', async () => {
    await run([Shouting]);
    expect(await asker.call(greet, { name: 'Ada' })).toEqual({ greeting: 'ADA' });
  });

  it('hears events with every handler, and logs the one that throws', async () => {
    await run([Teller]);
    await asker.publishEvent(rang, { n: 1 }, { id: 'one' });
    await until(() => heard.length === 2);
    expect(heard.sort()).toEqual(['a1', 'b1']);
    await asker.publishEvent(rang, { n: 2 }, { id: 'two' });
    await until(() => house.lines.some(({ level, facts }) => level === 'error' && String(facts.err).includes('cannot hear that')));
  });

  it('refuses to start with two handlers of one call', async () => {
    await expect(run([Teller, Twice])).rejects.toThrow('"call.v1.teller.greet" has two handlers in "teller"');
  });

  it('refuses to start with a handler that has no contract', async () => {
    await expect(run([Bare])).rejects.toThrow('use @Serves(call)');
  });

  it('refuses to start when a declared call has no handler, or a handler is not declared', async () => {
    await expect(run([Shouting], tellerEdges)).rejects.toThrow('"teller" declares call.v1.teller.who-am-i without a handler');
    await expect(run([Teller], tellerEdges)).rejects.toThrow('"teller" handles event.v1.asker.rang, which its edges do not declare');
  });

  it('refuses to start when the broker does not let it hear its calls', async () => {
    class Module {}
    const app = await NestFactory.createMicroservice(
      { module: Module, controllers: [Twice] },
      { strategy: new WireStrategy(asker), logger: false, abortOnError: false },
    );
    await expect(app.listen()).rejects.toMatchObject({ slug: 'not-permitted' });
    await app.close();
  });

  it('stops answering when the application closes, and leaves the wire open', async () => {
    await run([Teller]);
    await closeApp?.();
    closeApp = undefined;
    expect(await failure(asker.call(greet, { name: 'Ada' }))).toMatchObject({ slug: 'no-responder' });
    expect(teller.status().connected).toBe(true);
  });
});
