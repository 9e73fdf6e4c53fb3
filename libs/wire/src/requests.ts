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
  timer?: NodeJS.Timeout;
  abort?: () => void;
}

const nothing = new Uint8Array(0);
const longestTimer = 2 ** 31 - 1; // setTimeout takes a signed 32-bit number of milliseconds

/**
 * Requests of one connection over one inbox subscription. nats.js has its own; this one adds cancellation, tells of late
 * replies, and ends every wait at once when the broker refuses the message or the connection is lost.
 */
export class Requests {
  private readonly waiting = new Map<string, Waiting>();
  private readonly inbox: Hearing;
  private asks = 0;

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
    return this.wait(id, request);
  }

  /**
   * Asks the broker itself, which knows nothing of our headers and cannot be told to stop. No other instance hears this id,
   * so a number does; it is short, since events are asked by the thousand.
   */
  ask(subject: string, body: Uint8Array, headers: MsgHdrs | undefined, deadlineMs: number): Promise<Uint8Array> {
    return this.wait(String((this.asks += 1)), { subject, callee: 'NATS JetStream', body, headers, deadlineMs });
  }

  /** Few objects a request: an outbox that is emptied has hundreds of them under way. */
  private wait(id: string, request: Omit<Request, 'headers'> & { headers?: MsgHdrs }): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const { subject, headers, signal, deadlineMs } = request;
      if (signal?.aborted) return reject(cancelled(subject, signal.reason));
      const waiting: Waiting = { request, resolve, reject };
      waiting.timer = setTimeout(this.late, Math.min(Math.max(deadlineMs, 1), longestTimer), id);
      if (signal) {
        waiting.abort = () => {
          this.settle(id, cancelled(subject, signal.reason));
          this.cancel(request.callee, id);
        };
        signal.addEventListener('abort', waiting.abort, { once: true });
      }
      this.waiting.set(id, waiting);
      try {
        this.connection.publish(subject, request.body, headers, `${this.connection.inbox}.${id}`);
      } catch (error) {
        this.settle(id, error as HouseError);
      }
    });
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
