import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { turnContextKey } from '@skillgate/wire/service-context';
import { makeLog } from './log.js';

const written: string[] = [];
const log = makeLog('catalog', 'debug', { write: (line) => void written.push(line) });
const last = () => JSON.parse(written.at(-1)!) as Record<string, unknown>;

describe('a log line', () => {
  it('is JSON with level, time, service and message', () => {
    log.info({ skill: 'briefing-memo' }, 'loaded in %d ms', 3);
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'catalog',
      skill: 'briefing-memo',
      msg: 'loaded in 3 ms',
    });
  });

  it('below the level is not written', () => {
    const before = written.length;
    log.trace('quiet');
    expect(written).toHaveLength(before);
  });

  it('tells an error with its type, message, stack and causes', () => {
    log.error(new TypeError('no such thing', { cause: new Error('because') }));
    expect(last()).toMatchObject({
      msg: 'no such thing',
      err: { type: 'TypeError', message: 'no such thing', stack: expect.stringContaining('log.spec'), cause: { message: 'because' } },
    });
  });

  it.each([
    ['in a fact', () => log.info({ request: { token: 'sk-test-000', url: 'https://x.example/cb?code=abc' } }, 'x')],
    ['in the message', () => log.info('called with sk-test-000 and https://x.example/cb?code=abc')],
    ['in a value of the message', () => log.info({}, 'called with %j', { token: 'sk-test-000', at: 'https://x.example/cb?code=abc' })],
    [
      'in an error, whose message is the only one',
      () => log.error(new Error('failed: {"token":"sk-test-000","url":"https://x.example/cb?code=abc"}')),
    ],
    ['in an error under err', () => log.error({ err: new Error('sk-test-000 https://x.example/cb?code=abc') })],
    ['in the bindings of a child', () => log.child({ token: 'sk-test-000', url: 'https://x.example/cb?code=abc' }).info('x')],
    [
      'in the bindings of a grandchild',
      () => log.child({}).child({ token: 'sk-test-000', url: 'https://x.example/cb?code=abc' }, { level: 'info' }).info('x'),
    ],
  ])('holds no secret that stood %s', (_, write) => {
    const before = written.length;
    write();
    expect(written).toHaveLength(before + 1);
    expect(written.at(-1)).not.toMatch(/sk-test-000|code=abc/);
    expect(written.at(-1)).toContain('[redacted]');
  });

  describe('within a context', () => {
    const manager = new AsyncLocalStorageContextManager();
    beforeAll(() => void context.setGlobalContextManager(manager.enable()));
    afterAll(() => context.disable());

    it('names trace, span and turn', () => {
      const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };
      context.with(trace.setSpanContext(ROOT_CONTEXT, span).setValue(turnContextKey, 't1'), () => log.info('here'));
      expect(last()).toMatchObject({ trace_id: span.traceId, span_id: span.spanId, turn: 't1' });
      log.info('outside');
      expect(Object.keys(last())).toEqual(['level', 'time', 'service', 'msg']);
    });
  });
});
