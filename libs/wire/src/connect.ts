import { AuthorizationError, connect, type NatsConnection } from '@nats-io/transport-node';
import { type Meter, metrics, type Tracer } from '@opentelemetry/api';
import { Connection } from './connection.js';
import { defaultTracer } from './tracer.js';
import { Wire } from './wire.js';
import { stderrLog, type WireLog } from './wire-log.js';

export interface WireOptions {
  /** Name of the service; its NATS user unless `user` says otherwise. */
  readonly service: string;
  /** `nats://host:port`, several as an array or separated by commas. */
  readonly servers: string | readonly string[];
  readonly user?: string;
  readonly password: string;
  readonly log?: WireLog;
  readonly tracer?: Tracer;
  readonly meter?: Meter;
  /** Takes secrets out of what an unknown error says before it is kept in a dead letter. */
  readonly redact?: (text: string) => string;
  /** Milliseconds to keep trying for the first connection; after that it reconnects for ever. Default 10,000. */
  readonly connectTimeoutMs?: number;
}

const pauseMs = 250; // between two tries, with as much jitter, so that a restarted server is not stormed

/**
 * Connects one service to NATS and hears its answers and cancellations.
 *
 * @throws when the password is wrong (at once), when no server answers in time, or when the permissions are not ours
 */
export async function connectWire(options: WireOptions): Promise<Wire> {
  const { service, password, log = stderrLog, tracer = defaultTracer(), meter = metrics.getMeter('skillgate-wire'), redact = (text) => text } = options;
  const user = options.user ?? service;
  const servers = [options.servers].flat().flatMap((list) => list.split(',')).map((server) => server.trim());
  const nats = await firstConnection(options.connectTimeoutMs ?? 10_000, user, servers, (timeout) =>
    connect({
      servers,
      user,
      pass: password,
      name: service,
      inboxPrefix: `_INBOX_${service}`,
      timeout,
      maxReconnectAttempts: -1,
      reconnectTimeWait: pauseMs,
      reconnectJitter: pauseMs,
      ignoreAuthErrorAbort: true, // else two refused logins in a row, as while a server is set up anew, end the reconnecting
      pingInterval: 10_000, // with two missed: a dead peer is noticed within 30 s
      noAsyncTraces: true,
    }),
  );
  const wire = new Wire(new Connection(nats, service, user, log), { tracer, meter, redact });
  try {
    await wire.ready();
  } catch (error) {
    await wire.close();
    throw error;
  }
  return wire;
}

async function firstConnection(
  patienceMs: number,
  user: string,
  servers: readonly string[],
  dial: (timeoutMs: number) => Promise<NatsConnection>,
): Promise<NatsConnection> {
  const end = Date.now() + patienceMs;
  const where = servers.map((server) => server.replace(/\/\/.*@/, '//')).join(', '); // without credentials
  for (;;) {
    try {
      return await dial(Math.max(end - Date.now(), 50));
    } catch (cause) {
      if (cause instanceof AuthorizationError) {
        throw new Error(`NATS at ${where} refuses user "${user}". Check its password, and that the server runs with our generated users`, { cause });
      }
      if (Date.now() + pauseMs > end) {
        const why = (cause as Error).message;
        throw new Error(`No NATS server answered user "${user}" at ${where} within ${patienceMs} ms (${why}). Start one, or correct the address`, { cause });
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
