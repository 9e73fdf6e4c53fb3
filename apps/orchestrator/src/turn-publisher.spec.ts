import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { turnMessage, type TurnMessage } from '@skillgate/contracts/turn-stream';
import { outcomeOf } from './spec-support/facts.js';
import { maxTextBytes, TurnPublisher } from './turn-publisher.js';

describe('the publisher of a turn', () => {
  let sent: TurnMessage[];
  let lost: unknown[];
  let publisher: TurnPublisher;
  beforeEach(() => {
    jest.useFakeTimers();
    [sent, lost] = [[], []];
    publisher = new TurnPublisher((message) => void sent.push(message), 3, (error) => void lost.push(error));
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const texts = () => sent.map(({ body }) => (body.type === 'delta' ? body.text : body.type));

  it('gathers text for a moment and publishes it as one', () => {
    for (const piece of ['Hel', 'lo', ' there']) publisher.delta(piece);
    expect(sent).toEqual([]);
    jest.advanceTimersByTime(25);
    expect(texts()).toEqual(['Hello there']);
    jest.advanceTimersByTime(1_000);
    expect(sent).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('numbers its messages without a gap, under its attempt', () => {
    publisher.progress({ stage: 'thinking', message: 'x' });
    publisher.delta('a');
    publisher.flush();
    publisher.ended(outcomeOf());
    expect(sent.map(({ attempt, n }) => [attempt, n])).toEqual([[3, 0], [3, 1], [3, 2]]);
    for (const message of sent) expect(turnMessage.safeParse(message).success).toBe(true);
  });

  it('keeps text before what came after it', () => {
    publisher.delta('First.');
    publisher.progress({ stage: 'calling', message: 'x' });
    publisher.delta('Second.');
    publisher.ended(outcomeOf());
    expect(texts()).toEqual(['First.', 'progress', 'Second.', 'ended']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('keeps two rounds apart by a blank line, which comes with the text of the second', () => {
    publisher.delta('Looking.');
    publisher.paragraph();
    publisher.flush();
    expect(publisher.text).toBe('Looking.');
    publisher.delta('Found');
    publisher.delta(' it.');
    publisher.flush();
    expect(texts()).toEqual(['Looking.', '\n\nFound it.']);
    expect(publisher.text).toBe('Looking.\n\nFound it.');
  });

  it('needs no blank line before the first text, nor a second one', () => {
    publisher.paragraph();
    publisher.delta('One.\n\n');
    publisher.paragraph();
    publisher.delta('Two.');
    expect(publisher.text).toBe('One.\n\nTwo.');
  });

  it('has as its text exactly what it published', () => {
    for (const piece of ['a', '', '\u{1F600}', 'b']) publisher.delta(piece);
    publisher.flush();
    expect(texts().join('')).toBe(publisher.text);
  });

  it('refuses text that no outcome could carry, and keeps what was said', () => {
    const line = '"\n'.repeat(1_000); // four bytes each in JSON
    expect(() => {
      for (;;) publisher.delta(line);
    }).toThrow(expect.objectContaining({ kind: 'refusal', slug: 'turn-limit-text' }));
    const bytes = Buffer.byteLength(JSON.stringify(publisher.text));
    expect(bytes).toBeLessThanOrEqual(maxTextBytes + 2);
    expect(bytes).toBeGreaterThan(maxTextBytes - 5_000);
    publisher.flush();
    expect(texts().join('')).toBe(publisher.text);
  });

  it('survives a message that cannot be sent, also from its timer; the number is missing', () => {
    publisher = new TurnPublisher(
      (message) => {
        if (message.n === 0) throw new Error('too large');
        sent.push(message);
      },
      1,
      (error) => void lost.push(error),
    );
    publisher.delta('gone');
    expect(() => jest.advanceTimersByTime(25)).not.toThrow();
    publisher.delta('here');
    publisher.flush();
    expect(lost).toEqual([new Error('too large')]);
    expect(sent).toEqual([{ attempt: 1, n: 1, body: { type: 'delta', text: 'here' } }]);
  });
});
