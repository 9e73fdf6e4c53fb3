import { describe, expect, it } from '@jest/globals';
import { defineCall } from '@skillgate/contracts/define-call';
import { defineEvent } from '@skillgate/contracts/define-event';
import { platformEdges } from '@skillgate/contracts/services/all';
import { operatorToolsEdges } from '@skillgate/contracts/services/operator-tools';
import { turnStream } from '@skillgate/contracts/streams';
import { executorEdges } from '@skillgate/contracts/services/executor';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { z } from 'zod';
import { natsConfig, permissionsOf } from './permissions.js';

const shape = { input: z.object({}), output: z.object({}) };
const plain = defineCall('call.v1.shop.plain', shape);
const perCaller = defineCall('call.v1.shop.per-caller', { ...shape, perCaller: true });
const sold = defineEvent('event.v1.shop.sold', z.object({}));
const none: Omit<ServiceEdges, 'service'> = { serves: [], calls: [], emits: [], hears: [] };
const shop: ServiceEdges = { ...none, service: 'shop', serves: [plain, perCaller], emits: [sold] };
const buyer: ServiceEdges = { ...none, service: 'buyer', calls: [plain, perCaller], hears: [sold], buckets: ['bag'] };

describe('permissions from edges', () => {
  it('let a service hear what it serves, its inbox and its cancellations, and answer', () => {
    expect(permissionsOf(shop)).toEqual({
      user: 'shop',
      publish: ['event.v1.shop.sold', '$JS.API.STREAM.INFO.EVENTS_SHOP', '$JS.API.STREAM.CREATE.EVENTS_SHOP', '$JS.API.STREAM.UPDATE.EVENTS_SHOP'],
      neverPublish: [],
      subscribe: ['_INBOX_shop.>', 'cancel.v1.shop', 'call.v1.shop.plain', 'call.v1.shop.per-caller.*'],
      replies: true,
    });
  });

  it('let a caller publish under its own name where the call asks for it, and cancel', () => {
    const { publish, subscribe, replies } = permissionsOf(buyer);
    expect(publish.slice(0, 3)).toEqual(['call.v1.shop.plain', 'call.v1.shop.per-caller.buyer', 'cancel.v1.shop']);
    expect(subscribe).toEqual(['_INBOX_buyer.>', 'cancel.v1.buyer']);
    expect(replies).toBe(false);
  });

  it('name every JetStream subject of a bucket, so that no other stream is in reach', () => {
    const jetstream = permissionsOf({ ...buyer, hears: [] }).publish.slice(3);
    expect(jetstream.filter((subject) => subject !== '$JS.API.INFO' && !/\bOBJ_bag\b|^\$O\.bag\./.test(subject))).toEqual([]);
    expect(jetstream).not.toContain('$JS.API.STREAM.DELETE.OBJ_bag');
  });

  it('let a hearer have its one consumer and its dead letters, by name, and nothing wider', () => {
    const jetstream = permissionsOf({ ...none, service: 'buyer', hears: [sold] }).publish;
    expect(jetstream).toEqual([
      '$JS.API.STREAM.INFO.DEAD_BUYER',
      '$JS.API.STREAM.CREATE.DEAD_BUYER',
      '$JS.API.STREAM.UPDATE.DEAD_BUYER',
      '$JS.API.CONSUMER.CREATE.EVENTS_SHOP.buyer__sold.event.v1.shop.sold',
      '$JS.API.CONSUMER.INFO.EVENTS_SHOP.buyer__sold',
      '$JS.API.CONSUMER.MSG.NEXT.EVENTS_SHOP.buyer__sold',
      '$JS.ACK.EVENTS_SHOP.buyer__sold.>',
      'dead.v1.buyer.shop.sold',
    ]);
  });

  it("take the durable consumers of others out of what a watcher's consumers may be called", () => {
    const watcher: ServiceEdges = { ...none, service: 'watcher', hears: [sold], watches: [sold] };
    const { publish, neverPublish } = permissionsOf(watcher, [shop, buyer, watcher]);
    expect(publish).toContain('$JS.API.CONSUMER.CREATE.EVENTS_SHOP.*.event.v1.shop.sold');
    expect(neverPublish).toEqual(['$JS.API.CONSUMER.CREATE.EVENTS_SHOP.buyer__sold.>']);
  });

  it('take them out also for other events of the same stream, since a new filter would turn the consumer of another', () => {
    const shut = defineEvent('event.v1.shop.shut', z.object({}));
    const watcher: ServiceEdges = { ...none, service: 'watcher', watches: [shut, sold] };
    expect(permissionsOf(watcher, [shop, buyer, watcher]).neverPublish).toEqual(['$JS.API.CONSUMER.CREATE.EVENTS_SHOP.buyer__sold.>']);
  });

  it('let the operator tools read and empty dead letters, and tell events again that somebody hears', () => {
    const { publish } = permissionsOf(operatorToolsEdges);
    for (const subject of publish) expect(subject).toMatch(/^event\.v1\.(accounts|registry|orchestrator)\.[a-z-]+$|^\$JS\.API\.STREAM\.MSG\.(GET|DELETE)\.DEAD_[A-Z]+$/);
    expect(publish).toContain('$JS.API.STREAM.MSG.DELETE.DEAD_CATALOG');
  });

  it.each<[string, ServiceEdges]>([
    ['serves a call of another service', { ...none, service: 'buyer', serves: [plain] }],
    ['emits an event of another service', { ...none, service: 'buyer', emits: [sold] }],
    ['owns a stream of another service', { ...none, service: 'buyer', streams: [turnStream] }],
    ['publishes to inboxes', { ...none, service: 'buyer', publishes: ['_INBOX_shop.>'] }],
    ['publishes to everything', { ...none, service: 'buyer', publishes: ['>'] }],
    ['hears everything', { ...none, service: 'buyer', subscribes: ['*.v1.>'] }],
    ['reaches the system', { ...none, service: 'buyer', publishes: ['$JS.API.>'] }],
    ['has a name with a dot', { ...none, service: 'buy.er' }],
    ['has a bucket with a wildcard', { ...none, service: 'buyer', buckets: ['*'] }],
  ])('refuse a service that %s', (_what, edges) => {
    expect(() => permissionsOf(edges)).toThrow(`The edges of "${edges.service}" are wrong`);
  });

  it.each<[string, Partial<ServiceEdges>]>([
    ['makes a call that does not prove its caller', { calls: [plain] }],
    ['calls tools', { publishes: ['tool.v1.slack.send'] }],
    ["announces in another's name", { publishes: ['announce.v1.slack'] }],
    ["tells of another's progress", { publishes: ['progress.v1.slack.*'] }],
    ["hears another's tools", { subscribes: ['tool.v1.slack.*'] }],
    ['hears every tool', { subscribes: ['tool.v1.*.*'] }],
    ['hears events', { hears: [sold] }],
    ['watches events', { watches: [sold] }],
    ['reads a stream', { reads: [turnStream] }],
    ['empties a stream', { mends: [turnStream] }],
    ['owns a bucket', { buckets: ['bag'] }],
    ["has another's ledger", { keyValues: executorEdges('slack').keyValues }],
    ["settles another's calls", { subscribes: ['settle.v1.slack'] }],
    ['makes buckets', { makesKeyValues: true }],
  ])('refuse an executor that %s', (_what, more) => {
    expect(() => permissionsOf({ ...executorEdges('docs'), ...more })).toThrow('The edges of "docs" are wrong');
  });
});

describe('the server configuration', () => {
  const all = [...platformEdges, executorEdges('docs')];
  const options = { port: 4222, storeDir: '/var/lib/nats' };

  it('has a user for each service and reads its password from the environment', () => {
    const text = natsConfig([shop, executorEdges('ms-calendar')], 'env', options);
    expect(text).toContain('user: "shop", password: $SKILLGATE_NATS_PASSWORD_SHOP,');
    expect(text).toContain('user: "ms-calendar", password: $SKILLGATE_NATS_PASSWORD_MS_CALENDAR,');
  });

  it('covers the whole house', () => {
    const text = natsConfig(all, 'env', options);
    for (const { service } of all) expect(text).toContain(`user: "${service}"`);
  });

  it('lets answers come for longer than the longest tool runs', () => {
    const seconds = Number(/expires: "(\d+)s"/.exec(natsConfig([shop], 'env', options))?.[1]);
    expect(seconds).toBeGreaterThan(600);
  });

  it('denies everything where nothing is allowed, since an empty list would allow all', () => {
    expect(natsConfig([{ ...none, service: 'mute' }], 'env', options)).toContain('publish: { deny: ">" }');
  });

  it('quotes what could break out of its place', () => {
    expect(natsConfig([shop], { shop: 'a" }, { user: "evil' }, options)).toContain('password: "a\\" }, { user: \\"evil"');
  });

  it('asks for a missing password by the name of its service', () => {
    expect(() => natsConfig([shop], {}, options)).toThrow('"shop"');
  });

  it('refuses two services of one name', () => {
    expect(() => natsConfig([shop, shop], 'env', options)).toThrow('Two services are called "shop"');
  });

  it('listens on this machine alone unless told otherwise', () => {
    expect(natsConfig([shop], 'env', options)).toContain('listen: "127.0.0.1:4222"');
    expect(natsConfig([shop], 'env', { ...options, host: '0.0.0.0', monitorPort: 8222 })).toContain('http: "0.0.0.0:8222"');
  });
});
