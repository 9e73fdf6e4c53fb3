import { type ArgumentsHost, Catch, type RpcExceptionFilter, UseFilters } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { Call, CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { Event, EventPayload } from '@skillgate/contracts/define-event';
import { type Observable, throwError } from 'rxjs';
import type { CallContext } from './call-context.js';
import type { Delivery, HearOptions } from './delivery.js';

/** Where a decorated handler carries its contract to `WireStrategy`. */
export interface HandlerExtras {
  readonly contract?: Call | Event;
  readonly hearing?: HearOptions;
}

/** Nest's own filter logs an unknown error and replaces it by "Internal server error"; the wire needs the error itself. */
@Catch()
class PassErrorOn implements RpcExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

const passErrorOn = new PassErrorOn();

/**
 * Answers a call: `(input, context) => Promise<answer>`, without parameter decorators. The input is parsed, the answer is
 * checked; throw `refuse(…)` for an expected no. Import `CallContext` as a type: metadata of decorated methods is emitted.
 */
export function Serves<C extends Call>(contract: C) {
  return <H extends (input: CallParsedInput<C>, context: CallContext) => Promise<CallAnswer<C>>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    MessagePattern(contract.subject, { contract } satisfies HandlerExtras)(target, key, descriptor);
    passBoth(target, key, descriptor);
  };
}

/**
 * Hears an event: `(payload, delivery) => Promise<void>`. One instance of the service gets each, at least once, until the
 * handler resolves. What it throws decides: Unavailable comes again later, a refusal or breach becomes a dead letter, and
 * so does everything else after `maxDeliver` deliveries. Import `Delivery` as a type: metadata of decorated methods is emitted.
 */
export function Hears<E extends Event>(contract: E, hearing: HearOptions = {}) {
  return <H extends (payload: EventPayload<E>, delivery: Delivery) => Promise<void>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    EventPattern(contract.subject, { contract, hearing } satisfies HandlerExtras)(target, key, descriptor as PropertyDescriptor);
    passBoth(target, key, descriptor);
  };
}

function passBoth(target: object, key: string, descriptor: PropertyDescriptor): void {
  Payload()(target, key, 0);
  Ctx()(target, key, 1);
  UseFilters(passErrorOn)(target, key, descriptor);
}
