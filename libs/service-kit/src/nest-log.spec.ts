import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { serviceContextKey } from '@skillgate/wire/service-context';
import { makeLog } from './log.js';
import { nestLogFor } from './nest-log.js';

const lines: Record<string, unknown>[] = [];
const logTo = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
const within = (service: string, work: () => void) => context.with(ROOT_CONTEXT.setValue(serviceContextKey, service), work);

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

describe('what Nest logs with its one logger a process', () => {
  const first = nestLogFor('catalog', makeLog('catalog', 'info', logTo));
  const second = nestLogFor('registry', makeLog('registry', 'info', logTo));

  it('goes to the log of the service whose code runs, whichever was set up last', () => {
    expect(first).toBe(second);
    within('catalog', () => first.error(new Error('token=abc'), undefined, 'ExceptionsHandler'));
    within('registry', () => first.warn('late', 'Injector'));
    expect(lines.map(({ service, level, msg, nest }) => ({ service, level, msg, nest }))).toEqual([
      { service: 'catalog', level: 'error', msg: 'token=[redacted]', nest: 'ExceptionsHandler' },
      { service: 'registry', level: 'warn', msg: 'late', nest: 'Injector' },
    ]);
    expect(lines[0]).toMatchObject({ err: { type: 'Error' } });
  });

  it('is not lost when nobody knows whose code runs', () => {
    first.error('lost', 'a stack', 'Nest');
    expect(lines.at(-1)).toMatchObject({ service: 'registry', msg: 'lost', stack: ['a stack'] });
  });

  it('about modules and routes is not worth a line at info', () => {
    const before = lines.length;
    within('catalog', () => first.log('Mapped {/x, GET} route', 'RouterExplorer'));
    expect(lines).toHaveLength(before);
  });
});
