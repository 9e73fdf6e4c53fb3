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
  readonly request: Pick<Request, 'subject' | 'callee'>;
  settle(outcome: Msg | HouseError): void;
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

  constructor(private readonly connection: Connection) {
    this.inbox = connection.hear(`${connection.inbox}.*`, (message) => this.arrived(message));
    connection.onDown((error) => this.failAll(error));
    connection.onPermissionError(({ user, operation, subject }) => {
      for (const { request, settle } of this.waiting.values()) {
        if (request.subject === subject) settle(notPermitted({ user, operation, subject }));
      }
    });
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

  /** Asks the broker itself, which knows nothing of our headers and cannot be told to stop. */
  ask(subject: string, body: Uint8Array, headers: MsgHdrs | undefined, deadlineMs: number): Promise<Uint8Array> {
    return this.wait(randomUUID(), { subject, callee: 'NATS JetStream', body, headers, deadlineMs });
  }

  private wait(id: string, request: Omit<Request, 'headers'> & { headers?: MsgHdrs }): Promise<Uint8Array> {
    const { subject, headers, signal } = request;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled(subject, signal.reason));
      const deadlineMs = Math.min(Math.max(request.deadlineMs, 1), longestTimer);
      const settle = (outcome: Msg | HouseError) => {
        this.waiting.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        if ('data' in outcome) resolve(outcome.data);
        else reject(outcome);
      };
      const abort = () => {
        settle(cancelled(subject, signal?.reason));
        this.cancel(request.callee, id);
      };
      const timer = setTimeout(() => settle(deadlinePassed(subject, deadlineMs)), deadlineMs);
      this.waiting.set(id, { request, settle });
      signal?.addEventListener('abort', abort, { once: true });
      try {
        this.connection.publish(subject, request.body, headers, `${this.connection.inbox}.${id}`);
      } catch (error) {
        settle(error as HouseError);
      }
    });
  }

  failAll(error: HouseError): void {
    for (const { settle } of this.waiting.values()) settle(error);
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
    waiting.settle(nobody ? noResponder(waiting.request.callee, waiting.request.subject) : message);
  }

  private cancel(callee: string, id: string): void {
    if (!this.connection.connected) return; // its deadline stops the work there
    const headers = emptyHeaders();
    headers.set(headerNames.cancelId, id);
    this.connection.publish(cancelSubject(callee), nothing, headers);
  }
}
