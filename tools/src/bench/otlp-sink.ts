import { startSource } from './source-process.js';

export interface OtlpSink {
  readonly url: string;
  /** Exports so far. */
  received(): number;
  stop(): Promise<void>;
}

/** A receiver of traces in a process of its own that throws them away: what is measured is what sending them costs. */
export async function startOtlpSink(): Promise<OtlpSink> {
  const sink = startSource('bench/otlp-sink-main.ts', process.env, '/dev/null');
  const { port } = await sink.hear<{ port: number }>();
  let received = 0;
  sink.child.on('message', (message: { received: number }) => (received = message.received));
  return { url: `http://127.0.0.1:${port}`, received: () => received, stop: () => sink.stop() };
}
