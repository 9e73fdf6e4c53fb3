import type { Meter } from '@opentelemetry/api';
import type { HouseError } from '@skillgate/contracts/refusal';

type Failure = Pick<HouseError, 'kind'>;

/**
 * What is counted of calls and events as they happen. Attributes are names of our own contracts and kinds of errors, never
 * what a caller sent: an instrument has as many rows as the service has edges, a few times over.
 */
export interface WireMeter {
  /** @param began `performance.now()` at the start. A failure that is no `HouseError` is a defect. */
  called(subject: string, began: number, failure?: Failure): void;
  served(subject: string, began: number, failure?: Failure): void;
  heard(durable: string, subject: string, began: number, failure?: Failure): void;
  buried(durable: string): void;
}

/** Seconds: a call over a local wire takes 0.3 ms, a tool may take minutes. */
const seconds = { unit: 's', advice: { explicitBucketBoundaries: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600] } };

/** Names follow OpenTelemetry's conventions for RPC and messaging where those have one. */
export function makeWireMeter(meter: Meter): WireMeter {
  const called = meter.createHistogram('rpc.client.call.duration', { ...seconds, description: 'Calls that this service made, until their answer' });
  const served = meter.createHistogram('rpc.server.call.duration', { ...seconds, description: 'Calls that this service answered' });
  const heard = meter.createHistogram('messaging.process.duration', { ...seconds, description: 'Work on one delivery of an event' });
  const buried = meter.createCounter('skillgate.dead_letters.written', { unit: '{message}', description: 'Events that this service gave up on' });
  const since = (began: number) => (performance.now() - began) / 1000;
  return {
    called: (subject, began, failure) => called.record(since(began), rpc(subject, failure)),
    served: (subject, began, failure) => served.record(since(began), rpc(subject, failure)),
    heard: (durable, subject, began, failure) =>
      heard.record(since(began), { ...consumer(durable), 'messaging.destination.name': subject, 'skillgate.outcome': outcome(failure) }),
    buried: (durable) => buried.add(1, consumer(durable)),
  };
}

export const consumer = (durable: string) => ({ 'messaging.system': 'nats', 'messaging.consumer.group.name': durable });

/** `ok`, or who must act: see `HouseError.kind`. */
const outcome = (failure: Failure | undefined): string => failure?.kind ?? 'ok';

const rpc = (subject: string, failure: Failure | undefined) => ({ 'rpc.method': method(subject), 'skillgate.outcome': outcome(failure) });

/** The tools of an executor count together: a caller may name tools that do not exist. */
const method = (subject: string): string => (subject.startsWith('tool.') ? `${subject.slice(0, subject.lastIndexOf('.'))}.*` : subject);
