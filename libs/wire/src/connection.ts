import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  InvalidArgumentError,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  PermissionViolationError,
  type Subscription,
} from '@nats-io/transport-node';
import { breach, HouseError, unavailable } from '@skillgate/contracts/refusal';
import { guardSocket } from './guard-socket.js';
import { disconnected, notPermitted, type PermissionDenied } from './wire-errors.js';
import type { WireLog } from './wire-log.js';

export interface WireStatus {
  readonly connected: boolean;
  /** Milliseconds since the epoch: when `connected` took its value. */
  readonly since: number;
  readonly lastError?: string;
  /** Of the NATS server at the other end, to tell ours from somebody else's on the same port. */
  readonly serverId?: string;
}

/** A subscription that the server has, or refuses: `ready` says which. */
export interface Hearing {
  readonly ready: Promise<void>;
  /** Takes nothing new; resolves when what had arrived was handed over. */
  drain(): Promise<void>;
  close(): void;
}

/**
 * One service's connection: knows at each moment whether it stands, and refuses to publish while it does not, since
 * nats.js would keep such messages and send them when nobody waits for them any more.
 */
export class Connection {
  /** Answers come to `<inbox>.<id of the request>`. */
  readonly inbox: string;
  /** Grows with each reconnect: a right to reply dies with the connection on which the request came. */
  epoch = 0;
  private up = true;
  private since = Date.now();
  private lastError?: string;
  private serverId?: string;
  private readonly downListeners = new Set<(error: HouseError) => void>();
  private readonly upListeners = new Set<() => void>();
  private readonly permissionListeners = new Set<(denied: PermissionDenied) => void>();

  constructor(
    readonly nats: NatsConnection,
    readonly service: string,
    readonly user: string,
    readonly log: WireLog,
  ) {
    this.inbox = `_INBOX_${service}.${randomUUID()}`;
    this.serverId = nats.info?.server_id;
    const { connected, transport } = this.inside;
    if (typeof connected !== 'boolean' || !transport.socket) throw new Error('@nats-io/transport-node changed inside: adapt libs/wire/src/connection.ts');
    guardSocket(transport.socket);
    void this.watch();
  }

  /** The public `status()` lags by some microtasks, in which a publish would be kept and sent late. */
  private get inside(): { connected: boolean; transport: { socket?: Socket } } {
    return (this.nats as unknown as { protocol: { connected: boolean; transport: { socket?: Socket } } }).protocol;
  }

  get connected(): boolean {
    return this.inside.connected && !this.nats.isClosed();
  }

  status(): WireStatus {
    const { since, lastError, serverId } = this;
    return { connected: this.connected, since, lastError, serverId };
  }

  /** @throws Unavailable `wire-disconnected` or `wire-closed`: nothing was sent */
  requireUp(subject: string): void {
    if (this.connected) return;
    if (this.nats.isClosed()) throw unavailable('wire-closed', `"${subject}" was not sent: the wire of "${this.service}" is closed`);
    const seconds = Math.round((Date.now() - this.since) / 1000);
    throw disconnected(`"${subject}" was not sent: "${this.service}" has had no connection to NATS for ${seconds} s. It reconnects by itself; try again`, false);
  }

  /** @throws Unavailable when down, a breach when headers are malformed or too large */
  publish(subject: string, body: Uint8Array, headers?: MsgHdrs, reply?: string): void {
    this.requireUp(subject);
    try {
      this.nats.publish(subject, body, { headers, reply });
    } catch (cause) {
      if (!(cause instanceof InvalidArgumentError)) throw cause;
      throw new HouseError({ kind: 'breach', slug: 'message-too-large', message: `"${subject}" was not sent: ${cause.message}` }, { cause });
    }
  }

  /** Subscribes; an error thrown by `onMessage` is logged, not lost. */
  hear(subject: string, onMessage: (message: Msg) => void, queue?: string): Hearing {
    this.requireUp(subject);
    let denied: HouseError | undefined;
    const subscription: Subscription = this.nats.subscribe(subject, {
      queue,
      callback: (error, message) => {
        if (error) {
          denied = error instanceof PermissionViolationError ? notPermitted({ user: this.user, operation: 'subscription', subject }) : breach('not-heard', error.message);
          return;
        }
        try {
          onMessage(message);
        } catch (failure) {
          this.log.error({ err: failure, subject }, 'a message was dropped: its reader threw');
        }
      },
    });
    const ready = this.nats.flush().then(
      () => {
        if (denied) throw denied;
      },
      () => {
        throw disconnected(`"${subject}" is not heard yet: the connection to NATS was lost meanwhile`, true);
      },
    );
    ready.catch(() => undefined); // whoever does not wait for it still finds a denial in the log
    return {
      ready,
      drain: () => (subscription.isClosed() || !this.connected ? Promise.resolve() : subscription.drain()),
      close: () => {
        if (!subscription.isClosed()) subscription.unsubscribe();
      },
    };
  }

  /** Called when the connection is lost, with the error for everybody who waits for something. @returns how to stop */
  onDown(listener: (error: HouseError) => void): () => void {
    this.downListeners.add(listener);
    return () => this.downListeners.delete(listener);
  }

  /** Called when the connection stands again. @returns how to stop */
  onUp(listener: () => void): () => void {
    this.upListeners.add(listener);
    return () => this.upListeners.delete(listener);
  }

  /** @returns how to stop */
  onPermissionError(listener: (denied: PermissionDenied) => void): () => void {
    this.permissionListeners.add(listener);
    return () => this.permissionListeners.delete(listener);
  }

  private async watch(): Promise<void> {
    for await (const event of this.nats.status()) {
      if (event.type === 'disconnect') this.wentDown(`the connection to ${event.server} was lost`);
      else if (event.type === 'reconnect') this.cameUp(event.server);
      else if (event.type === 'error') this.failed(event.error);
      else if (event.type === 'close') this.wentDown('the wire was closed', 'debug');
    }
  }

  private wentDown(why: string, level: 'warn' | 'debug' = 'warn'): void {
    if (!this.up) return; // nats.js says it again for each try that got as far as a refused login
    this.up = false;
    this.since = Date.now();
    this.lastError = why;
    this.log[level]({ service: this.service }, `NATS: ${why}`);
    const error = disconnected(`No answer will come: ${why}. The call may or may not have run`, true);
    for (const listener of this.downListeners) listener(error);
  }

  private cameUp(server: string): void {
    const { socket } = this.inside.transport;
    if (socket) guardSocket(socket);
    this.up = true;
    this.epoch += 1;
    this.since = Date.now();
    this.serverId = this.nats.info?.server_id;
    this.log.info({ service: this.service, serverId: this.serverId }, `NATS: connected again to ${server}`);
    for (const listener of this.upListeners) listener();
  }

  private failed(error: Error): void {
    this.lastError = error.message;
    if (!(error instanceof PermissionViolationError)) {
      this.log.error({ err: error, service: this.service }, 'NATS reported an error');
      return;
    }
    const denied: PermissionDenied = { user: this.user, operation: error.operation, subject: error.subject };
    this.log.error({ ...denied }, notPermitted(denied).message);
    for (const listener of this.permissionListeners) listener(denied);
  }
}
