import { deadLetterSubject } from '@skillgate/contracts/dead-letter';
import type { Event } from '@skillgate/contracts/define-event';
import type { Stream } from '@skillgate/contracts/define-stream';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { eventStream, streamsOf } from '@skillgate/contracts/streams';
import { durableName } from './durable-name.js';

const api = (operation: string, ...tokens: string[]): string => ['$JS.API', operation, ...tokens].join('.');

/** What a service publishes to have its streams, emit, hear, watch and read. JetStream is asked by publishing. */
export function streamSubjects(edges: ServiceEdges): string[] {
  const { service, emits, hears, watches = [], reads = [], mends = [] } = edges;
  return [
    ...emits.map(({ subject }) => subject),
    ...streamsOf(edges).flatMap(({ name }) => [api('STREAM.INFO', name), api('STREAM.CREATE', name), api('STREAM.UPDATE', name)]),
    ...hears.flatMap((event) => hearerSubjects(service, event)),
    ...watches.map((event) => api('CONSUMER.CREATE', streamOf(event), '*', event.subject)),
    ...reads.flatMap(({ name, subjects }) => subjects.map((subject) => api('CONSUMER.CREATE', name, '*', subject))),
    ...mends.flatMap(menderSubjects),
  ];
}

function hearerSubjects(service: string, event: Event): string[] {
  const consumer = [streamOf(event), durableName(service, event)];
  return [
    api('CONSUMER.CREATE', ...consumer, event.subject),
    api('CONSUMER.INFO', ...consumer),
    api('CONSUMER.MSG.NEXT', ...consumer),
    ['$JS.ACK', ...consumer, '>'].join('.'), // attempt, sequences and time follow
    deadLetterSubject(service, event),
  ];
}

const menderSubjects = ({ name }: Stream): string[] => [api('STREAM.MSG.GET', name), api('STREAM.MSG.DELETE', name)];

/**
 * Who watches an event makes consumers of names that nobody knows beforehand, with that event as their filter. The names
 * of all durable consumers of that stream are taken out: creating one of them again would change it, its filter included.
 */
export function othersConsumers({ service, watches = [] }: ServiceEdges, all: readonly ServiceEdges[]): string[] {
  return watches.flatMap((event) =>
    all
      .filter((other) => other.service !== service)
      .flatMap(({ service: hearer, hears }) => hears.filter(({ owner }) => owner === event.owner).map((heard) => durableName(hearer, heard)))
      .map((durable) => api('CONSUMER.CREATE', streamOf(event), durable, '>')),
  );
}

const streamOf = ({ owner }: Event): string => eventStream(owner).name;
