import type { Msg } from '@nats-io/transport-node';
import { isHouseError } from '@skillgate/contracts/refusal';
import { type DeliveryFacts, readAckSubject } from './ack-subject.js';
import type { Connection, Hearing } from './connection.js';
import { type Durable, ensureConsumer } from './durable-consumer.js';
import type { Requests } from './requests.js';

/** One delivery. One of `ack`, `again` and `bury` ends it; until then `working` keeps it from coming a second time. */
export interface Pulled extends DeliveryFacts {
  readonly message: Msg;
  ack(): void;
  /** Gives it back; it comes again after `delayMs`. */
  again(delayMs: number): void;
  /** It never comes again. */
  bury(): void;
  working(): void;
}

const expiresMs = 10_000; // of one request for messages: so long one of a dead instance lies in the server
const heartbeatMs = 5_000; // the server's sign of life while it has nothing
const silenceMs = 12_500; // two of them missed, and some
const firstRetryMs = 250;
const lastRetryMs = 5_000; // the emitter's stream may come at any time
const nanos = 1_000_000; // in a millisecond

/**
 * Milliseconds after which comes again what a stopping instance gives back: by then its open request is known to be dead.
 * nats-server 2.9 (consumer.go, "We will redo this one") forgets a redelivery until the ack wait, and delivers another
 * message twice, when it finds nobody but the dead to give it to.
 */
export const handOverMs = 500;

/**
 * Pulls from a durable consumer for ever: no more than `maxInFlight` messages are asked for and in work here together.
 * Whatever goes away, stream, consumer, server or connection, is looked for again. nats.js pulls too, but cannot stop
 * without losing for an ack wait what is on its way.
 */
export class PullMessages implements Hearing {
  /** Resolves after the first try, also when the stream is missing; rejects when the broker does not permit it. */
  readonly ready: Promise<void>;
  /** Why nothing is heard now. */
  problem?: string;
  private readonly inbox: string;
  private readonly hearing: Hearing;
  private stopped = false;
  private inWork = 0;
  /** Number of the open request for messages: what is said of an older one is stale. */
  private request = 0;
  /** What the open request may still bring. */
  private asked = 0;
  private silence?: NodeJS.Timeout;
  private lose: (why: string) => void = () => undefined;
  private wake: () => void = () => undefined;

  constructor(
    private readonly connection: Connection,
    private readonly requests: Requests,
    private readonly wanted: Durable,
    private readonly onPulled: (pulled: Pulled) => void,
  ) {
    this.inbox = `${connection.inbox}.pull.${crypto.randomUUID()}`; // longer than the inbox of answers, so that it hears none of this
    this.hearing = connection.hear(`${this.inbox}.*`, (message) => this.arrived(message));
    this.ready = new Promise((resolve, reject) => void this.run(resolve, reject));
    this.ready.catch(() => undefined); // whoever does not wait for it finds the denial in the log
  }

  /** Asks for nothing more; what is on its way goes back to be worked on elsewhere. */
  async drain(): Promise<void> {
    this.stop('it drains');
    await this.hearing.drain();
  }

  close(): void {
    this.stop('it was closed');
    this.hearing.close();
  }

  private stop(why: string): void {
    this.stopped = true;
    this.problem = why;
    this.lose(why);
    this.wake();
  }

  private async run(ready: () => void, denied: (error: Error) => void): Promise<void> {
    const stopUp = this.connection.onUp(() => this.wake());
    for (let retryMs = firstRetryMs; !this.stopped; retryMs = Math.min(retryMs * 2, lastRetryMs)) {
      try {
        const { missing } = await ensureConsumer(this.requests, this.wanted);
        if (missing) {
          this.cannot(`stream "${this.wanted.stream}" is missing; its owner creates it when it starts`);
        } else {
          ready();
          this.cannot(await this.untilLost());
          retryMs = firstRetryMs;
        }
      } catch (error) {
        this.cannot((error as Error).message);
        if (isHouseError(error) && error.slug === 'not-permitted') denied(error);
      }
      ready();
      if (!this.stopped) await this.pause(retryMs);
    }
    stopUp();
  }

  private cannot(why: string): void {
    const { durable, filter } = this.wanted;
    if (!this.stopped && this.problem !== why) this.connection.log.warn({ durable, problem: why }, `"${filter}" is not heard now; it is tried again`);
    this.problem = why;
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => (clearTimeout(timer), resolve());
    });
  }

  /** Resolves with the reason for which nothing comes any more. */
  private untilLost(): Promise<string> {
    return new Promise((resolve) => {
      const stopDown = this.connection.onDown(() => this.lose('the connection to NATS was lost'));
      this.lose = (why) => {
        stopDown();
        this.closeRequest();
        this.lose = () => undefined;
        resolve(why);
      };
      if (this.stopped) return this.lose('stopped');
      if (this.problem) this.connection.log.info({ durable: this.wanted.durable }, `"${this.wanted.filter}" is heard again`);
      this.problem = undefined;
      this.ask();
    });
  }

  private ask(): void {
    const free = this.wanted.maxInFlight - this.inWork;
    if (this.problem || this.asked > 0 || free <= 0 || !this.connection.connected) return;
    const { stream, durable } = this.wanted;
    this.request += 1;
    this.asked = free;
    const body = JSON.stringify({ batch: free, expires: expiresMs * nanos, idle_heartbeat: heartbeatMs * nanos });
    this.connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, Buffer.from(body), undefined, `${this.inbox}.${this.request}`);
    this.listen();
  }

  private closeRequest(): void {
    this.asked = 0;
    clearTimeout(this.silence);
  }

  private listen(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lose('the server fell silent'), silenceMs);
  }

  private arrived(message: Msg): void {
    const facts = message.reply ? readAckSubject(message.reply) : undefined;
    if (!facts) return this.told(message);
    this.inWork += 1;
    this.asked -= 1;
    if (this.asked > 0) this.listen();
    else this.closeRequest();
    const pulled = this.pulled(message, facts);
    if (this.stopped) pulled.again(handOverMs);
    else this.onPulled(pulled);
    this.ask();
  }

  /** The server speaks of the request itself. */
  private told(message: Msg): void {
    if (this.asked <= 0 || message.subject !== `${this.inbox}.${this.request}`) return;
    this.listen();
    const code = message.headers?.code ?? 0;
    if (code === 100) return; // a heartbeat
    this.closeRequest();
    if (code === 404 || code === 408) this.ask(); // nothing came in its time
    else this.lose(message.headers?.description || `the server says ${code}`);
  }

  private pulled(message: Msg, facts: DeliveryFacts): Pulled {
    let ended = false;
    // While the connection is down nothing is kept for later: a late ack would count for the delivery after this one.
    const say = (word: string) => {
      if (this.connection.connected && message.reply) this.connection.publish(message.reply, Buffer.from(word));
    };
    const end = (word: string) => {
      if (ended) return;
      ended = true;
      this.inWork -= 1;
      say(word);
      this.ask();
    };
    return {
      ...facts,
      message,
      ack: () => end('+ACK'),
      again: (delayMs) => end(`-NAK ${JSON.stringify({ delay: Math.round(delayMs * nanos) })}`),
      bury: () => end('+TERM'),
      working: () => {
        if (!ended) say('+WPI');
      },
    };
  }
}
