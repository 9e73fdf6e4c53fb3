// An executor as the house sees it: results, progress, spans, instances.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Span } from '@skillgate/backing/span';
import type { Announcement } from '@skillgate/contracts/tool-manifest';
import type { RunningService } from '@skillgate/service-kit/boot';
import { type LabHouse, pause, until, startLab } from '../spec-support/lab-house.js';
import { lab, release, reset, seen } from '../spec-support/lab.js';

let house: LabHouse;
let service: RunningService;
beforeAll(async () => {
  house = await startLab();
  service = await house.serve();
}, 20_000);
afterAll(() => house?.stop(), 20_000);
beforeEach(reset);

describe('what a tool gives back', () => {
  it('over the message limit is a refusal that says to ask for less', async () => {
    expect(await house.failure('lab_big', { args: { bytes: 300_000 } })).toMatchObject({ kind: 'refusal', slug: 'result-too-large' });
    expect((await house.call('lab_big', { args: { bytes: 250_000 } })).content).toHaveLength(250_000);
  });

  it('that is no JSON, or not what it promised, is a breach that names the tool', async () => {
    expect(await house.failure('lab_circle')).toMatchObject({
      kind: 'breach',
      slug: 'unserialisable-result',
      message: expect.stringContaining('lab_circle'),
    });
    expect(await house.failure('lab_wrong')).toMatchObject({
      kind: 'breach',
      slug: 'invalid-tool-output',
      message: expect.stringContaining('lab_wrong'),
    });
  });

  it('as its own refusal comes through as it is', async () => {
    expect(await house.failure('lab_no')).toMatchObject({ kind: 'refusal', slug: 'lab-closed', details: { until: 'tomorrow' } });
  });

  it('while it works reaches whoever hears its progress', async () => {
    const heard: unknown[] = [];
    const subscribed = house.orchestrator.subscribeProgress((said, from) => heard.push({ ...said, ...from }));
    await subscribed.ready;
    await house.call('lab_count');
    await until(() => heard.length === 1);
    expect(heard[0]).toMatchObject({ executor: 'lab', turnId: house.turn, tool: 'lab_count', message: 'counting', fraction: 0.5 });
    subscribed.close();
  });
});

describe('its health', () => {
  it('has what its author named, and how many calls run', async () => {
    const held = house.call('lab_hold');
    await until(() => seen.running === 1);
    expect(await service.health.report()).toMatchObject({
      ready: true,
      parts: { nats: { status: 'up' }, door: { status: 'up' }, calls: { status: 'up', facts: { running: 1, waiting: 0, slots: 3 } } },
    });
    release();
    await held;
    seen.doorShut = true;
    await pause(600); // a check is asked once in half a second
    expect(await service.health.report()).toMatchObject({ ready: false, parts: { door: { status: 'down', detail: 'the door of the lab is shut' } } });
  });
});

describe('the span of a call', () => {
  it('names tool, call, grant and decision, and nothing of the content', async () => {
    house.otlp.clear();
    const callId = randomUUID();
    const jti = randomUUID();
    await house.call('lab_count', { callId, grant: await house.grant({ jti }), args: { by: 41 } });
    await house.failure('lab_count', { callId, grant: await house.grant({ jti, tools: {} }) });
    const ofThisCall = (span: Span) => span.name === 'execute_tool lab_count' && span.attributes['gen_ai.tool.call.id'] === callId;
    const spans = await house.otlp.until((all) => all.filter(ofThisCall).length === 2);
    const [ok, refused] = spans.filter(ofThisCall);
    const always = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'lab_count',
      'gen_ai.tool.call.id': callId,
      'skillgate.grant.id': jti,
    };
    expect(ok?.attributes).toEqual({ ...always, 'skillgate.decision': 'ok' });
    expect(refused?.attributes).toEqual({ ...always, 'skillgate.decision': 'refused', 'skillgate.deny.reason': 'grant-tool' });
    const serving = spans.find(({ spanId }) => spanId === ok?.parentSpanId);
    expect(serving?.name).toBe('serve tool.v1.lab.lab_count');
  });
});

describe('several instances', () => {
  it('share the calls, announce themselves, and one that leaves says so and ends what it began', async () => {
    const heard: Announcement[] = [];
    const subscribed = house.registry.subscribeAnnouncements((said) => heard.push(said));
    await subscribed.ready;
    const second = await house.serve();
    await until(() => heard.some(({ state }) => state === 'serving'));
    expect(heard[0]).toMatchObject({
      executor: 'lab',
      version: '1.0.0',
      tools: expect.arrayContaining([expect.objectContaining({ name: 'lab_count' })]),
    });

    const answers = await Promise.all(Array.from({ length: 16 }, () => house.call('lab_count')));
    expect(answers).toHaveLength(16);
    expect(seen.runs).toBe(16);

    // as many as one instance would take, so that more run than one may only when both do
    const pending = Array.from({ length: lab.concurrency * 5 }, () => house.call('lab_hold'));
    await until(() => seen.running > lab.concurrency);
    const stopped = second.stop();
    await until(() => heard.some(({ state }) => state === 'leaving'));
    const releasing = setInterval(release, 5);
    await Promise.all([stopped, ...pending]);
    clearInterval(releasing);
    expect((await house.call('lab_count')).content).toBeDefined();
    subscribed.close();
  });
});
