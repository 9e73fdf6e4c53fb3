import { breach, isHouseError } from '@skillgate/contracts/refusal';
import type { z } from 'zod';
import { checkBody, decodeBody, encodeBody, type IsExact } from './body.js';
import type { Connection } from './connection.js';

/** A live subscription: messages may arrive before `ready`, and none before it is a promise that none was sent. */
export interface Subscribed {
  /** Resolves when the server has the subscription; rejects when it refuses it. */
  readonly ready: Promise<void>;
  close(): void;
}

const token = /^[\w-]+$/; // one NATS subject token: no dots, wildcards or white space

/** @throws a breach: an id or a name with a dot in it would reach another subject */
export function requireToken(value: string, what: string): string {
  if (!token.test(value)) throw breach('invalid-subject', `${what} "${value}" cannot be part of a subject; use letters, digits, "-" and "_"`);
  return value;
}

/**
 * Publishes what only those care about who listen now. While the wire is down the message is dropped, and the log says so.
 *
 * @returns whether it was sent. @throws a breach when it does not match or is too large
 */
export function publishLive(connection: Connection, subject: string, schema: z.ZodType, message: unknown, isExact?: IsExact): boolean {
  const what = `What "${connection.service}" publishes on "${subject}"`;
  const body = encodeBody(isExact?.(message) ? message : checkBody(message, schema, what, 'invalid-message'), what, 'message-too-large');
  if (!connection.connected) {
    connection.log.warn({ subject }, 'a live message was dropped: there is no connection to NATS');
    return false;
  }
  connection.publish(subject, body);
  return true;
}

/** Every subscriber hears every message. One that breaks its contract is logged and dropped. */
export function subscribeLive<S extends z.ZodType>(
  connection: Connection,
  subject: string,
  schema: S,
  onMessage: (message: z.output<S>, subject: string) => void,
  isExact?: IsExact,
): Subscribed {
  return connection.hear(subject, (message) => {
    try {
      onMessage(decodeBody(message.data, schema, `A message on "${message.subject}"`, 'invalid-message', isExact), message.subject);
    } catch (error) {
      if (!isHouseError(error)) throw error;
      connection.log.error({ subject: message.subject }, `dropped: ${error.message}`);
    }
  });
}
