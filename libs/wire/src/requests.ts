import { randomUUID } from 'node:crypto';
import { type Msg, type MsgHdrs, headers as emptyHeaders } from '@nats-io/transport-node';
import { cancelSubject } from '@skillgate/contracts/tool-call';
import type { HouseError } from '@skillgate/contracts/refusal';
import type { Connection, Hearing } from './connection.js';
import { headerNames } from './header-names.js';
import { cancelled, deadlinePassed, noResponder, notPermitted } from './wire-errors.js';

export interface Request {
  readonly subject: string;
  /** The service that answers: it is named in errors and hears the cancellation. */
  readonly callee: string;
  readonly body: Uint8Array;
  readonly headers: MsgHdrs;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly request: Pick<Request, 'subject' | 'callee' | 'deadlineMs' | 'signal'>;
  readonly resolve: (data: Uint8Array) => void;
  readonly reject: (error: HouseError) => void;
  readonly timer?: NodeJS.Timeout;
  /** In place of a timer of its own: milliseconds since the epoch. */
  readonly until?: number;
  abort?: () => void;
}

const broker = { callee: 'NATS JetStream' } as const;
const nothing = new Uint8Array(0);
const sweepMs = 100;
const longestTimer = 2 ** 31 - 1; // setTimeout takes a signed 32-bit number of milliseconds

/**
 * Requests of one connection over one inbox subscription. nats.js has its own; this one adds cancellation, tells of late
 * replies, and ends every wait at once when the broker refuses the message or the connection is lost.
 */
export class Requests {
  private readonly waiting = new Map<string, Waiting>();
  private readonly inbox: Hearing;
  private asks = 0;
  private sweeping?: NodeJS.Timeout;

  constructor(private readonly connection: Connection) {
    this.inbox = connection.hear(`${connection.inbox}.*`, (message) => this.arrived(message));
    connection.onDown((error) => this.failAll(error));
    connection.onPermissionError(({ user, operation, subject }) => {
      for (const [id, { request }] of this.waiting) {
        if (request.subject === subject) this.settle(id, notPermitted({ user, operation, subject }));
      }
    });
  }

  /** Answers that are waited for now. */
  get size(): number {
    return this.waiting.size;
  }

  get ready(): Promise<void> {
    return this.inbox.ready;
  }

  /** @returns the reply's bytes. @throws `HouseError`: see `wire-errors.ts` */
  send(request: Request): Promise<Uint8Array> {
    const id = randomUUID();
    request.headers.set(headerNames.deadline, String(Date.now() + request.deadlineMs));
    request.headers.set(headerNames.cancelId, id);
    return new Promise((resolve, reject) => this.wait(id, request, resolve, reject));
  }

  /** Asks the broker itself, which knows nothing of our headers and cannot be told to stop. */
  ask(subject: string, body: Uint8Array, headers: MsgHdrs | undefined, deadlineMs: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => this.wait(randomUUID(), { ...broker, subject, body, headers, deadlineMs }, resolve, reject));
  }

  /**
   * `ask` for events, which come by the thousand: no promise, one timer for all (so late by `sweepMs` at the most), and a
   * number for an id, since nobody else hears it.
   */
  tell(
    subject: string,
    body: Uint8Array,
    headers: MsgHdrs | undefined,
    deadlineMs: number,
    onError: (error: HouseError) => void,
    onReply: (data: Uint8Array) => void,
  ): void {
    const id = String((this.asks += 1));
    this.waiting.set(id, { request: { subject, callee: broker.callee, deadlineMs }, resolve: onReply, reject: onError, until: Date.now() + deadlineMs });
    this.sweeping ??= setInterval(this.sweep, sweepMs);
    this.publish(id, subject, body, headers);
  }

  private readonly sweep = (): void => {
    const now = Date.now();
    let left = false;
    for (const [id, { until }] of this.waiting) {
      if (until === undefined) continue;
      if (now >= until) this.late(id);
      else left = true;
    }
    if (left) return;
    clearInterval(this.sweeping);
    this.sweeping = undefined;
  };

  private wait(id: string, request: Omit<Request, 'headers'> & { headers?: MsgHdrs }, resolve: Waiting['resolve'], reject: Waiting['reject']): void {
    const { subject, headers, signal, deadlineMs } = request;
    if (signal?.aborted) return reject(cancelled(subject, signal.reason));
    const timer = setTimeout(this.late, Math.min(Math.max(deadlineMs, 1), longestTimer), id);
    const waiting: Waiting = { request, resolve, reject, timer };
    if (signal) {
      waiting.abort = () => {
        this.settle(id, cancelled(subject, signal.reason));
        this.cancel(request.callee, id);
      };
      signal.addEventListener('abort', waiting.abort, { once: true });
    }
    this.waiting.set(id, waiting);
    this.publish(id, subject, request.body, headers);
  }

  private publish(id: string, subject: string, body: Uint8Array, headers: MsgHdrs | undefined): void {
    try {
      this.connection.publish(subject, body, headers, `${this.connection.inbox}.${id}`);
    } catch (error) {
      this.settle(id, error as HouseError);
    }
  }

  private readonly late = (id: string): void => {
    const { subject, deadlineMs } = this.waiting.get(id)!.request;
    this.settle(id, deadlinePassed(subject, Math.min(Math.max(deadlineMs, 1), longestTimer)));
  };

  private settle(id: string, outcome: Msg | HouseError): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return; // cancelled, while its publishing failed
    this.waiting.delete(id);
    clearTimeout(waiting.timer);
    if (waiting.abort) waiting.request.signal?.removeEventListener('abort', waiting.abort);
    if ('data' in outcome) waiting.resolve(outcome.data);
    else waiting.reject(outcome);
  }

  failAll(error: HouseError): void {
    for (const id of this.waiting.keys()) this.settle(id, error);
  }

  private arrived(message: Msg): void {
    const id = message.subject.slice(this.connection.inbox.length + 1);
    const waiting = this.waiting.get(id);
    if (!waiting) {
      this.connection.log.debug({ id, bytes: message.data.length }, 'a reply came after its caller had stopped waiting, and was dropped');
      return;
    }
    // The server says "no responders" by an empty message with status 503.
    const nobody = message.data.length === 0 && message.headers?.code === 503;
    this.settle(id, nobody ? noResponder(waiting.request.callee, waiting.request.subject) : message);
  }

  private cancel(callee: string, id: string): void {
    if (!this.connection.connected) return; // its deadline stops the work there
    const headers = emptyHeaders();
    headers.set(headerNames.cancelId, id);
    this.connection.publish(cancelSubject(callee), nothing, headers);
  }
}
