import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PermissionViolationError, type NatsConnection, type RequestError } from '@nats-io/transport-node';
import { beginArtifact } from '@skillgate/contracts/calls/artifacts';
import { startTurn } from '@skillgate/contracts/calls/orchestrator';
import { approveManifest, registryPublicKeys, resolveTools } from '@skillgate/contracts/calls/registry';
import { platformEdges } from '@skillgate/contracts/services/all';
import { executorEdges } from '@skillgate/contracts/services/executor';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { failure, startHouse, type TestHouse, until } from '../spec-support/house.js';
import type { Wire } from './wire.js';

const mute: ServiceEdges = { service: 'mute', serves: [], calls: [], emits: [], hears: [] };

describe('the generated permissions, on a real server', () => {
  let house: TestHouse;
  let docs: Wire;
  let docsRaw: NatsConnection;

  beforeAll(async () => {
    house = await startHouse([...platformEdges, executorEdges('docs'), executorEdges('slack'), mute]);
    docs = await house.wire('docs');
    docsRaw = await house.raw('docs');
  });
  afterAll(() => house.stop());

  const mayNotPublish = async (connection: NatsConnection, subject: string): Promise<void> => {
    const error = await connection.request(subject, '{}', { timeout: 2_000 }).then(() => undefined, (refused: RequestError) => refused);
    expect(error?.cause).toBeInstanceOf(PermissionViolationError);
  };
  const mayNotHear = async (connection: NatsConnection, subject: string): Promise<void> => {
    let error: Error | null = null;
    connection.subscribe(subject, { callback: (refused) => void (error = refused) });
    await connection.flush();
    expect(error).toBeInstanceOf(PermissionViolationError);
  };

  it('let an executor hear its own tools, answer, announce itself and tell of its progress', async () => {
    const [orchestrator, registry] = await Promise.all([house.wire('orchestrator'), house.wire('registry')]);
    await docs.serveTools('docs', async (tool, request) => ({ content: { tool, ...request.arguments } })).ready;
    const heard: unknown[] = [];
    await registry.subscribeAnnouncements((said) => heard.push(said.executor)).ready;
    await orchestrator.subscribeProgress((progress, from) => heard.push(progress.message, from)).ready;

    const turnId = crypto.randomUUID();
    const options = { grant: 'g', callId: 'c', turnId, deadlineMs: 2_000 };
    expect(await orchestrator.callTool('docs', 'docs_read_text', { arguments: { a: 1 } }, options)).toEqual({
      content: { tool: 'docs_read_text', a: 1 },
      artifacts: [],
    });
    expect(docs.announce({ executor: 'docs', version: '1', instance: 'i', state: 'serving', tools: [] })).toBe(true);
    expect(docs.publishProgress('docs', turnId, { callId: 'c', tool: 'docs_read_text', message: 'half' })).toBe(true);
    await until(() => heard.length === 3);
    expect(heard).toEqual(expect.arrayContaining(['docs', 'half', { executor: 'docs', turnId }]));
  });

  it('let an executor call under its own name', async () => {
    const registry = await house.wire('registry');
    await registry.serve(registryPublicKeys, async () => ({ keys: [] })).ready;
    expect(await docs.call(registryPublicKeys, {})).toEqual({ keys: [] });
  });

  it("keep an executor from hearing another's tools", async () => {
    const error = await failure(docs.serveTools('slack', async () => ({ content: 1 })).ready);
    expect(error).toMatchObject({ kind: 'breach', slug: 'not-permitted' });
    expect(error.message).toContain('"docs"');
    expect(error.message).toContain('tool.v1.slack.*');
  });

  it('keep an executor from asking for grants, approving itself or calling a tool', async () => {
    await Promise.all([mayNotPublish(docsRaw, resolveTools.subject), mayNotPublish(docsRaw, approveManifest.subject)]);
    await mayNotPublish(docsRaw, 'tool.v1.slack.slack_send_message');
    const error = await failure(docs.call(resolveTools, { ticket: 'a.b.c', receipts: [] }));
    expect(error).toMatchObject({ kind: 'breach', slug: 'not-permitted' });
  });

  it("keep an executor from calling under another's name, and from announcing another", async () => {
    await mayNotPublish(docsRaw, `${beginArtifact.subject}.slack`);
    await mayNotPublish(docsRaw, beginArtifact.subject);
    await mayNotPublish(docsRaw, 'announce.v1.slack');
    await mayNotPublish(docsRaw, `progress.v1.slack.${crypto.randomUUID()}`);
    await mayNotPublish(docsRaw, 'turn.v1.x');
  });

  it.each(['_INBOX_registry.>', '_INBOX.>', '>', 'turn.v1.*', 'cancel.v1.slack', 'call.v1.registry.>', 'announce.v1.*'])(
    'keep an executor from hearing %s',
    (subject) => mayNotHear(docsRaw, subject),
  );

  it("keep a service from reading or filling another's inbox", async () => {
    const catalog = await house.raw('catalog');
    await mayNotHear(catalog, '_INBOX_gateway.>');
    await mayNotPublish(catalog, '_INBOX_gateway.x.y');
  });

  it('keep services from JetStream, but for their own buckets', async () => {
    await mayNotPublish(docsRaw, '$JS.API.STREAM.NAMES');
    const artifacts = await house.raw('artifacts');
    await mayNotPublish(artifacts, '$JS.API.STREAM.DELETE.OBJ_artifacts');
    await mayNotPublish(artifacts, '$JS.API.STREAM.CREATE.OBJ_other');
    const wire = await house.wire('catalog');
    expect(await failure(wire.bucket('artifacts'))).toMatchObject({ kind: 'breach', slug: 'not-permitted' });
  });

  it('leave a service without edges with nothing to publish', async () => {
    await mayNotPublish(await house.raw('mute'), 'anything');
  });

  it('make a call that was not declared fail at once, naming user and subject', async () => {
    const catalog = await house.wire('catalog');
    const began = Date.now();
    const input = { ticket: 'a.b.c', messages: [{ role: 'user' as const, content: 'hi' }], stateful: false };
    const errors = await Promise.all([failure(catalog.call(startTurn, input)), failure(catalog.call(startTurn, input))]);
    for (const error of errors) expect(error).toMatchObject({ kind: 'breach', slug: 'not-permitted' });
    expect(errors[0]?.message).toContain('"catalog"');
    expect(errors[0]?.message).toContain(startTurn.subject);
    expect(Date.now() - began).toBeLessThan(1_000);
  });

  it('report what nobody waits for to the log and to whoever listens', async () => {
    const catalog = await house.wire('catalog');
    const denials: unknown[] = [];
    catalog.onPermissionError((denied) => denials.push(denied));
    const turn = crypto.randomUUID();
    catalog.publishTurn(turn, { attempt: 1, n: 0, body: { type: 'delta', text: 'x' } });
    await until(() => denials.length > 0);
    expect(denials).toEqual([{ user: 'catalog', operation: 'publish', subject: `turn.v1.${turn}` }]);
    expect(house.lines.some(({ level, message }) => level === 'error' && message.includes(`turn.v1.${turn}`))).toBe(true);
  });
});
