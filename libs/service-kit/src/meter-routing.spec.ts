import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { context, type Meter, type MeterProvider, ROOT_CONTEXT } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { serviceContextKey } from '@skillgate/wire/service-context';
import { makeMeterRouting } from './meter-routing.js';

const asked: string[] = [];
const provider = (service: string): MeterProvider => ({ getMeter: (name) => (asked.push(`${service}: ${name}`), {} as Meter) });
const as = (service: string, work: () => unknown) => context.with(ROOT_CONTEXT.setValue(serviceContextKey, service), work);

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

describe('a meter', () => {
  it('is of the service whose code asks for it, and counts nothing where no service asks or the service has left', () => {
    const routing = makeMeterRouting();
    routing.add('catalog', provider('catalog'));
    const leave = routing.add('gateway', provider('gateway'));
    as('gateway', () => routing.getMeter('a'));
    as('catalog', () => routing.getMeter('b'));
    routing.getMeter('c').createCounter('nobody').add(1);
    leave();
    as('gateway', () => routing.getMeter('d').createCounter('gone').add(1));
    expect(asked).toEqual(['gateway: a', 'catalog: b']);
  });
});
