import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Tracer } from '@opentelemetry/api';
import { type LocalNats, startNats } from '@skillgate/backing/nats';
import { defineCall } from '@skillgate/contracts/define-call';
import { type HouseError, isHouseError } from '@skillgate/contracts/refusal';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { z } from 'zod';
import { connectWire } from '../src/connect.js';
import { natsConfig } from '../src/permissions.js';
import type { Wire } from '../src/wire.js';
import type { WireLog } from '../src/wire-log.js';

export interface LoggedLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  facts: Record<string, unknown>;
}

export interface TestHouse {
  readonly nats: LocalNats;
  /** By service; a change takes effect when the server restarts. */
  readonly passwords: Record<string, string>;
  readonly log: WireLog;
  /** Everything that every wire of this house logged. */
  readonly lines: LoggedLine[];
  wire(service: string, tracer?: Tracer): Promise<Wire>;
  /** A plain client with the user of `service`, to try what the wire would never do. */
  raw(service: string): Promise<NatsConnection>;
  stop(): Promise<void>;
}

/** A real NATS server with the permissions generated from `edges`; `stop` closes whatever was connected to it. */
export async function startHouse(edges: readonly ServiceEdges[]): Promise<TestHouse> {
  const stateDir = await mkdtemp(join(tmpdir(), 'skillgate-wire-'));
  const passwords = Object.fromEntries(edges.map(({ service }) => [service, `p${randomBytes(12).toString('hex')}`]));
  const nats = await startNats({ stateDir, config: (port, storeDir) => natsConfig(edges, passwords, { port, storeDir }) });
  const lines: LoggedLine[] = [];
  const log = Object.fromEntries(
    (['debug', 'info', 'warn', 'error'] as const).map((level) => [
      level,
      (facts: object, message: string) => void lines.push({ level, message, facts: facts as Record<string, unknown> }),
    ]),
  ) as unknown as WireLog;
  const closers: (() => Promise<void>)[] = [];
  return {
    nats,
    passwords,
    log,
    lines,
    async wire(service, tracer) {
      const redact = (text: string) => text.replaceAll('swordfish', '[redacted]');
      const wire = await connectWire({ service, servers: nats.url, password: passwords[service] ?? '', log, tracer, redact });
      closers.push(() => wire.close());
      return wire;
    },
    async raw(service) {
      const user = { user: service, pass: passwords[service] };
      const connection = await connect({ servers: nats.url, ...user, inboxPrefix: `_INBOX_${service}` });
      closers.push(() => connection.close());
      return connection;
    },
    async stop() {
      await Promise.all(closers.map((close) => close()));
      await nats.stop();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

/** Calls of the imaginary service `teller` that the specs use. */
export const greet = defineCall('call.v1.teller.greet', {
  input: z.object({ name: z.string(), times: z.number().default(1) }),
  output: z.object({ greeting: z.string() }),
  refusals: ['unknown-name'],
  deadlineMs: 2_000,
});

export const whoAmI = defineCall('call.v1.teller.who-am-i', {
  input: z.object({}),
  output: z.object({ caller: z.string() }),
  perCaller: true,
});

export const tellerEdges: ServiceEdges = { service: 'teller', serves: [greet, whoAmI], calls: [], emits: [], hears: [] };
export const askerEdges: ServiceEdges = { service: 'asker', serves: [], calls: [greet, whoAmI], emits: [], hears: [] };

/** The error of a call that must fail. */
export async function failure(call: Promise<unknown>): Promise<HouseError> {
  try {
    await call;
  } catch (error) {
    if (isHouseError(error)) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

/** Polls until `check` holds, for what no promise tells. */
export async function until(check: () => boolean, ms = 5_000): Promise<void> {
  for (const end = Date.now() + ms; !check(); ) {
    if (Date.now() > end) throw new Error(`still not true after ${ms} ms: ${check.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
