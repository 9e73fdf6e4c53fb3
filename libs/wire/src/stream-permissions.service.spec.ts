import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NatsConnection, PermissionViolationError, type RequestError } from '@nats-io/transport-node';
import { entitlementsChanged, policyRaised } from '@skillgate/contracts/events/accounts';
import { skillPublished } from '@skillgate/contracts/events/catalog';
import { turnStarted } from '@skillgate/contracts/events/orchestrator';
import { platformEdges } from '@skillgate/contracts/services/all';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { operatorToolsEdges } from '@skillgate/contracts/services/operator-tools';
import { streamsOf } from '@skillgate/contracts/streams';
import { failure, startHouse, type TestHouse, until } from '../spec-support/house.js';
import type { Wire } from './wire.js';

const all = [...platformEdges, executorEdges('docs'), operatorToolsEdges];

describe("who may do what with the house's streams", () => {
  let house: TestHouse;
  let catalog: Wire;
  let raw: NatsConnection; // as the catalog

  beforeAll(async () => {
    house = await startHouse(all);
    catalog = await house.wire('catalog');
    raw = await house.raw('catalog');
    for (const edges of platformEdges) await (await house.wire(edges.service)).reconcileStreams(streamsOf(edges));
  });
  afterAll(() => house.stop());

  const refused = async (connection: NatsConnection, subject: string, body: unknown = {}): Promise<boolean> => {
    const error = await connection.request(subject, JSON.stringify(body), { timeout: 1_000 }).then(() => undefined, (wrong: RequestError) => wrong);
    return error?.cause instanceof PermissionViolationError;
  };

  it('a service publishes its own events and no others', async () => {
    const published = await catalog.publishEvent(
      skillPublished,
      { slug: 'a', version: '1.0.0', digest: '0'.repeat(64), hidden: false, requires: { capabilities: [], integrations: [], profiles: [], tools: [] }, publishedAt: new Date().toISOString() },
      { id: 'p' },
    );
    expect(published.stream).toBe('EVENTS_CATALOG');
    const foreign = { turn: crypto.randomUUID(), chat: crypto.randomUUID(), account: crypto.randomUUID(), user: crypto.randomUUID(), model: 'm', at: new Date().toISOString() };
    expect(await failure(catalog.publishEvent(turnStarted, foreign, { id: 't' }))).toMatchObject({ kind: 'breach', slug: 'not-permitted' });
    expect(await refused(raw, entitlementsChanged.subject)).toBe(true);
    expect(await refused(raw, 'event.v1.catalog.never-declared')).toBe(true);
    expect(await refused(raw, 'dead.v1.registry.accounts.entitlements-changed')).toBe(true);
  });

  it('nobody creates, changes, empties or removes the stream of another, nor its own beyond creating and resizing', async () => {
    for (const { service } of all) {
      const connection = await house.raw(service);
      for (const stream of ['EVENTS_ACCOUNTS', 'EVENTS_CATALOG', 'DEAD_CATALOG', 'TURNS', 'NEW']) {
        const own = platformEdges.some((edges) => edges.service === service && streamsOf(edges).some(({ name }) => name === stream));
        for (const operation of ['CREATE', 'UPDATE']) if (!own) expect([service, stream, await refused(connection, `$JS.API.STREAM.${operation}.${stream}`)]).toEqual([service, stream, true]);
        for (const operation of ['DELETE', 'PURGE', 'SNAPSHOT']) expect([service, await refused(connection, `$JS.API.STREAM.${operation}.${stream}`)]).toEqual([service, true]);
      }
    }
  });

  it('a hearer reads what it declares and nothing else of any stream', async () => {
    expect(await failure(catalog.hear(turnStarted, async () => undefined).ready)).toMatchObject({ slug: 'not-permitted' });
    expect(await failure(catalog.readTurn(crypto.randomUUID()))).toMatchObject({ slug: 'not-permitted' });
    for (const subject of [
      '$JS.API.CONSUMER.CREATE.EVENTS_ACCOUNTS',
      '$JS.API.CONSUMER.CREATE.EVENTS_ACCOUNTS.catalog__entitlements-changed',
      '$JS.API.CONSUMER.CREATE.EVENTS_ACCOUNTS.catalog__entitlements-changed.event.v1.accounts.>',
      '$JS.API.CONSUMER.DURABLE.CREATE.EVENTS_ACCOUNTS.catalog__entitlements-changed',
      '$JS.API.CONSUMER.CREATE.EVENTS_ACCOUNTS.x.event.v1.accounts.integration-connected',
      '$JS.API.CONSUMER.CREATE.EVENTS_ORCHESTRATOR.x.event.v1.orchestrator.turn-started',
      '$JS.API.STREAM.MSG.GET.EVENTS_ACCOUNTS',
      '$JS.API.DIRECT.GET.EVENTS_ACCOUNTS',
      '$JS.API.STREAM.MSG.GET.DEAD_CATALOG',
    ]) {
      expect([subject, await refused(raw, subject)]).toEqual([subject, true]);
    }
  });

  it('a hearer cannot widen its filter in the body of what it may ask', async () => {
    const reply = await raw.request(
      '$JS.API.CONSUMER.CREATE.EVENTS_ACCOUNTS.wide.event.v1.accounts.entitlements-changed',
      JSON.stringify({ stream_name: 'EVENTS_ACCOUNTS', config: { name: 'wide', ack_policy: 'none', filter_subject: 'event.v1.accounts.>', deliver_subject: '_INBOX_catalog.wide' } }),
    );
    expect(reply.json<{ error?: { description: string } }>().error?.description).toContain('did not match filtered subject');
    const elsewhere = await raw.request(
      '$JS.API.CONSUMER.CREATE.EVENTS_ACCOUNTS.wide.event.v1.accounts.entitlements-changed',
      JSON.stringify({ stream_name: 'EVENTS_ORCHESTRATOR', config: { name: 'wide', ack_policy: 'none', filter_subject: 'event.v1.accounts.entitlements-changed' } }),
    );
    expect(elsewhere.json<{ error?: { description: string } }>().error?.description).toContain('does not match');
  });

  it("a hearer cannot take, acknowledge, look at or change another's consumer", async () => {
    const registry = await house.wire('registry');
    await registry.hear(entitlementsChanged, async () => undefined).ready;
    for (const subject of [
      '$JS.API.CONSUMER.MSG.NEXT.EVENTS_ACCOUNTS.registry__entitlements-changed',
      '$JS.API.CONSUMER.INFO.EVENTS_ACCOUNTS.registry__entitlements-changed',
      '$JS.API.CONSUMER.DELETE.EVENTS_ACCOUNTS.registry__entitlements-changed',
      '$JS.API.CONSUMER.DELETE.EVENTS_ACCOUNTS.catalog__entitlements-changed',
      '$JS.API.CONSUMER.CREATE.EVENTS_ACCOUNTS.registry__entitlements-changed.event.v1.accounts.entitlements-changed',
      '$JS.API.CONSUMER.CREATE.EVENTS_ACCOUNTS.registry__entitlements-changed.event.v1.accounts.policy-raised',
      '$JS.ACK.EVENTS_ACCOUNTS.registry__entitlements-changed.1.1.1.1.0',
    ]) {
      expect([subject, await refused(raw, subject)]).toEqual([subject, true]);
    }
  });

  it('an executor has no stream and no event, and is told of an account only that its policy was raised', async () => {
    const docs = await house.raw('docs');
    const create = '$JS.API.CONSUMER.CREATE.EVENTS_ACCOUNTS';
    for (const subject of [
      '$JS.API.INFO',
      '$JS.API.STREAM.NAMES',
      `${create}.x.event.v1.accounts.entitlements-changed`,
      `${create}.x.event.v1.accounts.>`,
      `${create}.registry__entitlements-changed.event.v1.accounts.policy-raised`, // would turn the filter of the registry's own consumer
      `${create}.catalog__entitlements-changed.event.v1.accounts.policy-raised`,
      entitlementsChanged.subject,
      policyRaised.subject,
    ]) {
      expect([subject, await refused(docs, subject)]).toEqual([subject, true]);
    }
    const told: unknown[] = [];
    await (await house.wire('docs')).watch(policyRaised, (payload) => told.push(payload)).ready;
    const raised = { account: crypto.randomUUID(), policyEpoch: 7 };
    await (await house.wire('accounts')).publishEvent(policyRaised, raised, { id: 'raised' });
    await until(() => told.length > 0);
    expect(told).toEqual([raised]);
  });

  it('an executor reads and writes its own ledger of calls, and can neither make, change nor empty it, nor reach another one', async () => {
    const docs = await house.raw('docs');
    const api = (operation: string, ledger: string) => `$JS.API.STREAM.${operation}.KV_calls_${ledger}`;
    for (const operation of ['INFO', 'CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.DELETE']) expect([operation, await refused(docs, api(operation, 'docs'))]).toEqual([operation, true]);
    for (const subject of [api('MSG.GET', 'other'), '$KV.calls_other.x', '$KV.calls_docs.x.y']) expect([subject, await refused(docs, subject)]).toEqual([subject, true]);
    for (const subject of [api('MSG.GET', 'docs'), '$KV.calls_docs.x']) expect([subject, await refused(docs, subject)]).toEqual([subject, false]);
    const orchestrator = await house.raw('orchestrator');
    for (const subject of [api('MSG.GET', 'docs'), api('DELETE', 'docs'), '$KV.calls_docs.x', api('CREATE', 'unknown')]) expect([subject, await refused(orchestrator, subject)]).toEqual([subject, true]);
    expect(await refused(orchestrator, api('CREATE', 'docs'))).toBe(false);
  });

  it('nobody but the operator tools reads or removes dead letters', async () => {
    const tools = await house.raw('operator-tools');
    for (const { service } of platformEdges) {
      const connection = await house.raw(service);
      for (const operation of ['GET', 'DELETE']) expect(await refused(connection, `$JS.API.STREAM.MSG.${operation}.DEAD_CATALOG`, { seq: 1 })).toBe(true);
    }
    expect(await refused(tools, '$JS.API.STREAM.MSG.GET.DEAD_CATALOG', { seq: 1 })).toBe(false);
    expect(await refused(tools, '$JS.API.STREAM.MSG.GET.EVENTS_CATALOG', { seq: 1 })).toBe(true);
    expect(await refused(tools, '$JS.API.STREAM.MSG.DELETE.EVENTS_CATALOG', { seq: 1 })).toBe(true);
  });
});
