import { edgesOf, type ServiceEdges } from '../service-edges.js';
import { deadLetterStream } from '../streams.js';
import { platformEdges } from './all.js';

const hearers = platformEdges.filter(({ hears }) => hears.length > 0);

/** The NATS user of `bin/skillgate`: reads and removes dead letters, and tells again the events that they came from. */
export const operatorToolsEdges: ServiceEdges = edgesOf({
  service: 'operator-tools',
  serves: [],
  calls: [],
  emits: [],
  hears: [],
  publishes: [...new Set(hearers.flatMap(({ hears }) => hears.map(({ subject }) => subject)))],
  mends: hearers.map(({ service }) => deadLetterStream(service)),
});
