import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { Call } from '@skillgate/contracts/define-call';
import type { Event } from '@skillgate/contracts/define-event';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { isObservable, lastValueFrom } from 'rxjs';
import type { CallContext } from './call-context.js';
import type { Hearing } from './connection.js';
import type { HandlerExtras } from './serve.js';
import type { Wire } from './wire.js';

/**
 * Nest's side of the wire: what controllers declare with `@Serves` and `@Hears` is served on the given wire. The wire
 * itself belongs to whoever connected it: closing the Nest application only ends the serving.
 */
export class WireStrategy extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors = true;
  private readonly contracts = new Map<string, Call | Event>();
  private hearings: Hearing[] = [];

  /** @param edges when given, every call and event that they declare must have a handler, and no other may */
  constructor(
    private readonly wire: Wire,
    private readonly edges?: ServiceEdges,
  ) {
    super();
  }

  /** @throws for a second handler of a call, which Nest would let replace the first without a word */
  override addHandler(pattern: unknown, callback: MessageHandler, isEventHandler = false, extras: HandlerExtras = {}): void {
    const { contract } = extras;
    if (!contract) throw new Error(`The handler of ${JSON.stringify(pattern)} has no contract: use @Serves(call) or @Hears(event)`);
    if (!isEventHandler && this.contracts.has(contract.subject)) {
      throw new Error(`"${contract.subject}" has two handlers in "${this.wire.service}". Remove one: a call has one answer`);
    }
    const first = this.messageHandlers.get(contract.subject)?.extras as HandlerExtras | undefined;
    if (first && JSON.stringify(first.hearing) !== JSON.stringify(extras.hearing)) {
      throw new Error(`"${contract.subject}" is heard twice in "${this.wire.service}" with different options. Give both the same: they share a consumer`);
    }
    this.contracts.set(contract.subject, contract);
    super.addHandler(contract.subject, callback, isEventHandler, extras);
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      this.checkEdges();
      this.hearings = [...this.contracts.values()].map((contract) => this.start(contract));
      await Promise.all(this.hearings.map(({ ready }) => ready));
    } catch (error) {
      await this.close();
      callback(error);
      return;
    }
    callback();
  }

  async close(): Promise<void> {
    await Promise.all(this.hearings.splice(0).map((hearing) => hearing.drain()));
  }

  on(): never {
    throw new Error('WireStrategy has no events; ask wire.status() and wire.onPermissionError()');
  }

  unwrap<T>(): T {
    return this.wire as T;
  }

  private start(contract: Call | Event): Hearing {
    const handler = this.messageHandlers.get(contract.subject) as MessageHandler;
    if (contract.type === 'event') {
      const { hearing } = (handler.extras ?? {}) as HandlerExtras;
      return this.wire.hear(contract, async (payload, delivery) => void (await settled(handler(payload, delivery))), hearing);
    }
    return this.wire.serve(contract, (input, context: CallContext) => settled(handler(input, context)));
  }

  private checkEdges(): void {
    if (!this.edges) return;
    const declared = [...this.edges.serves, ...this.edges.hears].map(({ subject }) => subject);
    const silent = declared.filter((subject) => !this.contracts.has(subject));
    const undeclared = [...this.contracts.keys()].filter((subject) => !declared.includes(subject));
    const { service } = this.edges;
    if (silent.length > 0) throw new Error(`"${service}" declares ${silent.join(', ')} without a handler. Add a controller method with @Serves or @Hears`);
    if (undeclared.length > 0) throw new Error(`"${service}" handles ${undeclared.join(', ')}, which its edges do not declare. Add them to the edges`);
  }
}

/** Interceptors and error filters make a handler answer with an Observable; its last value is the answer. */
async function settled(answer: unknown): Promise<unknown> {
  const value = await answer;
  return isObservable(value) ? lastValueFrom(value, { defaultValue: undefined }) : value;
}
