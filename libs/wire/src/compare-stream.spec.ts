import { describe, expect, it } from '@jest/globals';
import type { StreamConfig } from '@nats-io/jetstream';
import { eventStream } from '@skillgate/contracts/streams';
import { compareStream, wantedConfig } from './compare-stream.js';

const declared = eventStream('asker');
const same = wantedConfig(declared) as unknown as StreamConfig;

describe('a stream on the server compared with its declaration', () => {
  it('is the same when it is, whatever the operator says of replicas', () => {
    expect(compareStream(declared, { ...same, num_replicas: 3 })).toEqual({ standing: [], narrower: [] });
  });

  it.each<[string, Partial<StreamConfig>]>([
    ['other subjects', { subjects: ['event.v1.other.>'] }],
    ['more subjects', { subjects: ['event.v1.asker.>', 'event.v1.other.>'] }],
    ['another storage', { storage: 'memory' as StreamConfig['storage'] }],
    ['another retention', { retention: 'workqueue' as StreamConfig['retention'] }],
    ['another way to be full', { discard: 'old' as StreamConfig['discard'] }],
    ['a source', { sources: [{ name: 'OTHER' }] }],
    ['a copy elsewhere', { republish: { src: '>', dest: 'call.v1.>' } }],
    ['more bytes', { max_bytes: same.max_bytes + 1 }],
    ['no limit of bytes', { max_bytes: -1 }],
    ['a longer age', { max_age: same.max_age * 2 }],
    ['no end of age', { max_age: 0 }],
  ])('stands when it has %s', (_what, change) => {
    const { standing, narrower } = compareStream(declared, { ...same, ...change });
    expect(standing).toHaveLength(1);
    expect(standing[0]).toContain(Object.keys(change)[0]);
    expect(narrower).toEqual([]);
  });

  it.each<[keyof StreamConfig, number]>([['max_bytes', 1_000], ['max_age', 1_000_000_000], ['duplicate_window', 1_000_000_000], ['max_msgs', 10]])(
    'may be widened in %s',
    (key, value) => {
      expect(compareStream(declared, { ...same, [key]: value })).toEqual({ standing: [], narrower: [key] });
    },
  );
});
