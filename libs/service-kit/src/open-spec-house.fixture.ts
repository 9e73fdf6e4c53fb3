import { freePort } from '@skillgate/backing/free-port';
import { startOtlpReceiver, type OtlpReceiver } from '@skillgate/backing/otlp-receiver';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { HealthReport } from './health.js';
import { backEdges, frontEdges } from './spec-house.fixture.js';

export interface SpecHouse {
  readonly nats: TestNats;
  readonly traces: OtlpReceiver;
  readonly env: NodeJS.ProcessEnv;
  /** Where the probes of `back` are answered. */
  readonly probes: string;
  /** For `bootService`: keeps the log lines. */
  readonly logging: { readonly logTo: { write(line: string): void } };
  readonly lines: readonly string[];
  /** Lines of that service with `part` in them. */
  logged(service: string, part: string): string[];
  close(): Promise<void>;
}

/** What the services of the spec's house stand on. */
export async function openSpecHouse(): Promise<SpecHouse> {
  const lines: string[] = [];
  const nats = await withNats([frontEdges, backEdges]);
  const traces = await startOtlpReceiver();
  const healthPort = await freePort();
  return {
    nats,
    traces,
    probes: `http://127.0.0.1:${healthPort}`,
    lines,
    logging: { logTo: { write: (line) => void lines.push(line) } },
    logged: (service, part) => lines.filter((line) => line.includes(`"service":"${service}"`) && line.includes(part)),
    env: {
      SKILLGATE_NATS_URL: nats.url,
      SKILLGATE_NATS_PASSWORD_FRONT: nats.passwords.front,
      SKILLGATE_NATS_PASSWORD_BACK: nats.passwords.back,
      SKILLGATE_HTTP_PORT: '0',
      SKILLGATE_HEALTH_PORT_BACK: String(healthPort),
      SKILLGATE_LOG_LEVEL: 'debug',
      SKILLGATE_GREETING_BACK: 'Good day',
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    },
    close: async () => {
      await nats.close();
      await traces.close();
    },
  };
}

export async function ready(base: string): Promise<{ status: number } & HealthReport> {
  const response = await fetch(`${base}/health/ready`);
  return { status: response.status, ...((await response.json()) as HealthReport) };
}

/** Looks again and again, for ten seconds. */
export async function until<T>(look: () => Promise<T>, good: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + 10_000;
  for (;;) {
    const seen = await look();
    if (good(seen)) return seen;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
