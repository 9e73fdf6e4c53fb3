import { context, createNoopMeter, type MeterProvider } from '@opentelemetry/api';
import { serviceOf } from './span-routing.js';

/**
 * As `SpanRouting`, for meters: registered globally, it gives the meter of the service whose code asks for one. Ask while the
 * service starts; a meter belongs to one service, and outside of all services it counts nothing.
 */
export interface MeterRouting extends MeterProvider {
  /** @returns how to take the service out again */
  add(service: string, provider: MeterProvider): () => void;
}

export function makeMeterRouting(): MeterRouting {
  let entries: readonly { readonly service: string; readonly provider: MeterProvider }[] = [];
  return {
    add: (service, provider) => {
      const entry = { service, provider };
      entries = [...entries, entry];
      return () => {
        entries = entries.filter((other) => other !== entry);
      };
    },
    getMeter: (name, version, options) => {
      const service = serviceOf(context.active());
      return entries.findLast((entry) => entry.service === service)?.provider.getMeter(name, version, options) ?? createNoopMeter();
    },
  };
}
