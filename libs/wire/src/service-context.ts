import { createContextKey } from '@opentelemetry/api';

/** Under this key a context holds the name of the service whose code runs: telemetry gives a span to that service's provider. */
export const serviceContextKey = createContextKey('skillgate.service');

/** Under this key a context holds the id of the turn that is worked on: logs name it, and calls pass it on as `turn-id`. */
export const turnContextKey = createContextKey('skillgate.turn');
