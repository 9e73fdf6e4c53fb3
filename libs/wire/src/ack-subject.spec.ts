import { describe, expect, it } from '@jest/globals';
import { readAckSubject } from './ack-subject.js';

const facts = { attempt: 2, streamSeq: 7, consumerSeq: 9, storedAt: 1_764_000_000_123, pending: 4 };

describe('the subject on which a delivery is acknowledged', () => {
  it('tells of the delivery', () => {
    expect(readAckSubject('$JS.ACK.EVENTS_ASKER.teller__rang.2.7.9.1764000000123456789.4')).toEqual(facts);
  });

  it('may name domain and account first, and have more at its end', () => {
    expect(readAckSubject('$JS.ACK._.hash.EVENTS_ASKER.teller__rang.2.7.9.1764000000123456789.4')).toEqual(facts);
    expect(readAckSubject('$JS.ACK._.hash.EVENTS_ASKER.teller__rang.2.7.9.1764000000123456789.4.random')).toEqual(facts);
  });

  it.each(['_INBOX_teller.x.1', '$JS.FC.EVENTS_ASKER.x.y', '$JS.ACK.short'])('is not %s', (subject) => {
    expect(readAckSubject(subject)).toBeUndefined();
  });
});
