import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import { refuse } from '@skillgate/contracts/refusal';
import { askerEdges, failure, greet, startHouse, tellerEdges, type TestHouse, until, whoAmI } from '../spec-support/house.js';
import type { CallContext } from './call-context.js';
import type { Hearing } from './connection.js';
import type { Wire } from './wire.js';

describe('a call between two services', () => {
  let house: TestHouse;
  let teller: Wire;
  let asker: Wire;
  let served: Hearing | undefined;

  type Answer = (input: { name: string; times: number }, context: CallContext) => Promise<unknown>;
  const serve = async (answer: Answer): Promise<void> => {
    served = teller.serve(greet, answer as never);
    await served.ready;
  };

  beforeAll(async () => {
    house = await startHouse([tellerEdges, askerEdges]);
    [teller, asker] = await Promise.all([house.wire('teller'), house.wire('asker')]);
  });
  afterEach(() => {
    served?.close();
    house.lines.length = 0;
  });
  afterAll(() => house.stop());

  it('carries the input with its defaults and brings back the answer', async () => {
    await serve(async ({ name, times }) => ({ greeting: `hello ${name} x${times}` }));
    expect(await asker.call(greet, { name: 'Ada' })).toEqual({ greeting: 'hello Ada x1' });
  });

  it('leaves out what the contract does not name, in both directions', async () => {
    let seen: unknown;
    await serve(async (input) => {
      seen = input;
      return { greeting: 'hi', secret: 'kept at home' };
    });
    expect(await asker.call(greet, { name: 'Ada', password: 'x' } as never)).toEqual({ greeting: 'hi' });
    expect(seen).toEqual({ name: 'Ada', times: 1 });
  });

  it('says at once that nobody answers, and names who should', async () => {
    const began = Date.now();
    const error = await failure(asker.call(greet, { name: 'Ada' }));
    expect(error).toMatchObject({ kind: 'unavailable', slug: 'no-responder' });
    expect(error.message).toContain('"teller"');
    expect(Date.now() - began).toBeLessThan(1_000);
  });

  it('gives up when the deadline passes, and drops the late reply with a word in the log', async () => {
    let late: Promise<unknown> = Promise.resolve();
    await serve(() => (late = new Promise((resolve) => setTimeout(resolve, 150, { greeting: 'too late' }))) as Promise<{ greeting: string }>);
    expect(await failure(asker.call(greet, { name: 'Ada' }, { deadlineMs: 50 }))).toMatchObject({ kind: 'unavailable', slug: 'deadline-passed' });
    await late;
    await until(() => house.lines.some(({ level, message }) => level === 'debug' && message.includes('a reply came after')));
  });

  it('aborts the signal of a handler whose deadline passes', async () => {
    let reason: unknown;
    await serve(async (_input, { signal, deadline }) => {
      expect(deadline - Date.now()).toBeLessThanOrEqual(60);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = signal.reason;
      throw signal.reason;
    });
    await failure(asker.call(greet, { name: 'Ada' }, { deadlineMs: 60 }));
    await until(() => reason !== undefined);
    expect(reason).toMatchObject({ slug: 'deadline-passed' });
  });

  it('does not start a handler whose deadline has passed', async () => {
    let started = false;
    await serve(async () => {
      started = true;
      return { greeting: 'hi' };
    });
    const raw = await house.raw('asker');
    const past = headers();
    past.set('deadline', String(Date.now() - 1));
    const reply = await raw.request(greet.subject, JSON.stringify({ name: 'Ada' }), { headers: past, timeout: 1_000 });
    expect(reply.json()).toMatchObject({ error: { kind: 'unavailable', slug: 'deadline-passed' } });
    expect(started).toBe(false);
  });

  it('rejects at once when its caller aborts, and the callee stops', async () => {
    let stopped: unknown;
    await serve(async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      stopped = signal.reason;
      throw signal.reason;
    });
    const abort = new AbortController();
    const call = failure(asker.call(greet, { name: 'Ada' }, { signal: abort.signal }));
    setTimeout(() => abort.abort(new Error('the user left')), 50);
    const error = await call;
    expect(error).toMatchObject({ kind: 'unavailable', slug: 'cancelled' });
    expect((error.cause as Error).message).toBe('the user left');
    await until(() => stopped !== undefined);
    expect(stopped).toMatchObject({ slug: 'cancelled' });
    expect(house.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('sends nothing when its signal had fired before', async () => {
    let calls = 0;
    await serve(async () => ({ greeting: String((calls += 1)) }));
    expect(await failure(asker.call(greet, { name: 'Ada' }, { signal: AbortSignal.abort() }))).toMatchObject({ slug: 'cancelled' });
    await asker.call(greet, { name: 'Ada' });
    expect(calls).toBe(1);
  });

  it('refuses a request over 256 KiB before it is sent', async () => {
    await serve(async () => ({ greeting: 'hi' }));
    const error = await failure(asker.call(greet, { name: 'x'.repeat(256 * 1024) }));
    expect(error).toMatchObject({ kind: 'breach', slug: 'message-too-large' });
    expect(error.message).toContain('artifact');
    // It is in the log, and not as something that somebody has to repair.
    expect(house.lines.filter(({ facts }) => facts.slug === 'message-too-large').map(({ level }) => level)).toEqual(['warn']);
  });

  it('answers an oversized reply with a typed error, not with silence', async () => {
    await serve(async () => ({ greeting: 'x'.repeat(256 * 1024) }));
    expect(await failure(asker.call(greet, { name: 'Ada' }))).toMatchObject({ kind: 'breach', slug: 'reply-too-large' });
  });

  it('carries just under 256 KiB both ways', async () => {
    await serve(async ({ name }) => ({ greeting: name }));
    const long = 'x'.repeat(256 * 1024 - 100);
    expect((await asker.call(greet, { name: long })).greeting).toHaveLength(long.length);
  });

  it('refuses an input that breaks the contract on the side of its caller', async () => {
    const error = await failure(asker.call(greet, { name: 7 } as never));
    expect(error).toMatchObject({ kind: 'breach', slug: 'invalid-input' });
    expect(error.message).toContain('"asker"');
    expect(error.message).toContain('name');
  });

  it.each([
    ['an input that breaks the contract', '{"name":7}'],
    ['an input that is no JSON', '{"name":'],
  ])('answers %s with a breach, whoever sent it', async (_what, body) => {
    await serve(async () => ({ greeting: 'hi' }));
    const raw = await house.raw('asker');
    const reply = await raw.request(greet.subject, body, { timeout: 1_000 });
    expect(reply.json()).toMatchObject({ error: { kind: 'breach', slug: 'invalid-input' } });
  });

  it('names the callee when the answer breaks the contract', async () => {
    await serve(async () => ({ greeting: 7 }));
    const error = await failure(asker.call(greet, { name: 'Ada' }));
    expect(error).toMatchObject({ kind: 'breach', slug: 'invalid-output' });
    expect(error.message).toContain('"teller"');
    expect(house.lines.some(({ level, message }) => level === 'error' && message.startsWith('a contract was broken'))).toBe(true);
  });

  it('names the callee when an answer that the callee believed in breaks the contract here', async () => {
    const raw = await house.raw('teller');
    const subscription = raw.subscribe(greet.subject, { callback: (_error, message) => void message.respond('{"ok":{"greeting":7}}') });
    await raw.flush();
    const error = await failure(asker.call(greet, { name: 'Ada' }));
    subscription.unsubscribe();
    expect(error).toMatchObject({ kind: 'breach', slug: 'invalid-output' });
    expect(error.message).toContain('"teller"');
  });

  it('tells the caller of a throwing handler nothing but a correlation id, and logs the cause under it', async () => {
    await serve(async () => {
      throw new Error('the password is swordfish');
    });
    const error = await failure(asker.call(greet, { name: 'Ada' }));
    expect(error).toMatchObject({ kind: 'defect', slug: 'internal', message: 'internal error' });
    const line = house.lines.find(({ level }) => level === 'error');
    expect(line?.facts.correlationId).toBe(error.correlationId);
    expect(String(line?.facts.err)).toContain('swordfish');
  });

  it('passes a refusal on with its details', async () => {
    await serve(async ({ name }) => {
      throw refuse('unknown-name', `Nobody is called ${name}`, { tried: 1 });
    });
    const error = await failure(asker.call(greet, { name: 'Ada' }));
    expect(error).toMatchObject({ kind: 'refusal', slug: 'unknown-name', message: 'Nobody is called Ada', details: { tried: 1 } });
    expect(house.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('passes on a refusal that the contract does not name, and logs it as a breach', async () => {
    await serve(async () => {
      throw refuse('surprise', 'Try something else');
    });
    expect(await failure(asker.call(greet, { name: 'Ada' }))).toMatchObject({ kind: 'refusal', slug: 'surprise' });
    expect(house.lines.some(({ level, message }) => level === 'error' && message.startsWith('breach:'))).toBe(true);
  });

  it('tells the handler of a per-caller call who is asking', async () => {
    const hearing = teller.serve(whoAmI, async (_input, { caller = 'nobody' }) => ({ caller }));
    await hearing.ready;
    expect(await asker.call(whoAmI, {})).toEqual({ caller: 'asker' });
    hearing.close();
  });

  it('gives the handler the headers of the call, and the grant apart from them', async () => {
    let context: CallContext | undefined;
    await serve(async (_input, given) => {
      context = given;
      return { greeting: 'hi' };
    });
    await asker.call(greet, { name: 'Ada' }, { headers: { grant: 'g', 'turn-id': 't', 'call-id': 'c', deadline: '1' } });
    expect(context).toMatchObject({ grant: 'g', turnId: 't', callId: 'c' });
    expect(context?.headers).not.toHaveProperty('grant');
    expect(context?.deadline).toBeGreaterThan(Date.now());
  });

  it('refuses a header that would break out of its line', async () => {
    expect(await failure(asker.call(greet, { name: 'Ada' }, { headers: { 'turn-id': 'a\r\nb' } }))).toMatchObject({ kind: 'breach', slug: 'invalid-header' });
  });
});
