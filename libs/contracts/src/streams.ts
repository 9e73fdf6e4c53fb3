import { defineStream, type Stream } from './define-stream.js';
import type { ServiceEdges } from './service-edges.js';

const mebibyte = 1024 * 1024;
const minute = 60_000;
const day = 24 * 60 * minute;

/** As part of a stream's name: `executor-docs` is `EXECUTOR_DOCS`. */
const upper = (service: string): string => service.toUpperCase().replaceAll('-', '_');

/** What a service has emitted in the last days. Full: publishing is refused and the outbox waits, so nothing is lost. */
export const eventStream = (service: string): Stream =>
  defineStream({
    name: `EVENTS_${upper(service)}`,
    owner: service,
    subjects: [`event.v1.${service}.>`],
    storage: 'file',
    maxBytes: 256 * mebibyte,
    maxAgeMs: 7 * day,
    discard: 'new',
    duplicateWindowMs: 2 * minute,
  });

/** Events that a service could not work on, with the reason; `bin/skillgate dead-letters` shows and replays them. */
export const deadLetterStream = (service: string): Stream =>
  defineStream({
    name: `DEAD_${upper(service)}`,
    owner: service,
    subjects: [`dead.v1.${service}.>`],
    storage: 'file',
    maxBytes: 64 * mebibyte,
    maxAgeMs: 30 * day,
    discard: 'old',
    duplicateWindowMs: 2 * minute,
  });

/** The last minutes of every turn, for readers that missed some. The journal is the truth. */
export const turnStream: Stream = defineStream({
  name: 'TURNS',
  owner: 'orchestrator',
  subjects: ['turn.v1.*'],
  storage: 'memory',
  maxBytes: 64 * mebibyte,
  maxAgeMs: 15 * minute,
  discard: 'old',
  duplicateWindowMs: 2 * minute,
});

/** Every stream that a service creates and resizes: what follows from its events, and what it declares. */
export function streamsOf({ service, emits, hears, streams = [] }: ServiceEdges): readonly Stream[] {
  return [...(emits.length > 0 ? [eventStream(service)] : []), ...(hears.length > 0 ? [deadLetterStream(service)] : []), ...streams];
}
