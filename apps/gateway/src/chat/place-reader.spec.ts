import { describe, expect, it } from '@jest/globals';
import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import { finished } from '../gateway-house.fixture.js';
import { delta, ended } from './chat.fixture.js';
import { eventIdOf, nothingYet, readEventId } from './event-id.js';
import { TurnReader, repairMark, restartMark, type TurnEvent } from './turn-reader.js';

const progress = (n: number, attempt = 1): TurnMessage => ({
  ...{ attempt, n },
  body: { type: 'progress', progress: { stage: 'calling', message: 'x' } },
});
const textOf = (events: readonly TurnEvent[]): string => events.map((event) => (event.type === 'text' ? event.text : '')).join('');

/** A client that was there all the time. */
function live(messages: readonly TurnMessage[]): TurnEvent[] {
  const reader = new TurnReader();
  return [{ type: 'begun', id: eventIdOf(nothingYet) }, ...messages.flatMap((message) => reader.read(message))];
}

/** A client that has got as far as `id`, at a turn of which the stream has `stored`. */
function resumed(
  id: string | null,
  stored: TurnMessage[] | null,
  { after = [], answer }: { after?: TurnMessage[]; answer?: string } = {},
) {
  const reader = new TurnReader();
  const from = id === null ? null : readEventId(id, 'Last-Event-ID');
  const events = [...reader.resume(from, stored, answer !== undefined), ...after.flatMap((message) => reader.read(message))];
  if (answer !== undefined && events.at(-1)?.type !== 'ended') events.push(...reader.finish(finished(answer)));
  return { events, text: textOf(events), anew: events[0]?.type === 'begun', last: events.at(-1) };
}

const turn = [
  ...[progress(0), delta(1, 'One '), delta(2, 'two '), progress(3)],
  ...[delta(4, 'three '), delta(5, ''), delta(6, 'four'), ended(7, 'One two three four')],
];

describe('a client that comes back', () => {
  it('has the same text as one that was there all the time, wherever it was cut', () => {
    const whole = live(turn);
    for (const [at, { id }] of whole.entries()) {
      const had = whole.slice(0, at + 1);
      const rest = resumed(id, turn);
      expect([id, rest.anew, textOf(had) + rest.text]).toEqual([id, false, 'One two three four']);
      expect(rest.last).toMatchObject({ type: 'ended', id: '1.end' });
    }
  });

  it('has the same text when the stream forgot how the turn ended, and the journal did not', () => {
    const whole = live(turn);
    const stored = turn.slice(0, 5);
    for (const [at, { id }] of whole.slice(0, 5).entries())
      expect(textOf(whole.slice(0, at + 1)) + resumed(id, stored, { answer: 'One two three four' }).text).toBe('One two three four');
  });

  it('gets what is still said as it comes', () => {
    expect(resumed('1.2', turn.slice(0, 4), { after: turn.slice(4) }).text).toBe('three four');
  });

  it('gets each piece once when the stream and the subscription both have it', () => {
    expect(resumed('1.1', turn.slice(0, 5), { after: turn.slice(3) }).text).toBe('two three four');
  });

  it('goes on where the stream was lost, if the turn runs: nothing contradicts it', () => {
    const { text, anew, last } = resumed('1.2', null, { after: turn.slice(3) });
    expect([text, anew, last?.type]).toEqual(['three four', false, 'ended']);
  });

  it('gets the whole answer under a mark when nobody can say what it is missing', () => {
    const after = [delta(4, 'three '), ended(7, 'One two three four')];
    expect(resumed('1.2', null, { after }).text).toBe(`${repairMark}One two three four`);
  });

  it('begins anew, and is told so, when the turn is over and the stream has forgotten it', () => {
    const { text, anew } = resumed('1.2', [], { answer: 'One two three four' });
    expect([text, anew]).toEqual(['One two three four', true]);
  });

  it('gets nothing but the end again when it had everything', () => {
    for (const stored of [turn, [], null]) {
      const { events } = resumed('1.end', stored, { answer: 'One two three four' });
      expect(events.map(({ type }) => type)).toEqual(['ended']);
    }
  });

  it.each(['9.0', '1.99', '0.7', '1.end'])('begins anew, and is told so, with the id %s, which a running turn has not given', (id) => {
    const { text, anew } = resumed(id, turn.slice(0, 5));
    expect([text, anew]).toEqual(['One two three ', true]);
  });

  it('begins anew when the stream has forgotten what follows its id', () => {
    const { text, anew } = resumed('1.1', turn.slice(4), { answer: 'One two three four' });
    expect([text, anew]).toEqual(['One two three four', true]);
  });

  it('goes on although the stream has forgotten what came before its id', () => {
    const { text, anew } = resumed('1.3', turn.slice(4));
    expect([text, anew]).toEqual(['three four', false]);
  });

  it('catches up in few pieces, with the id of the last', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => delta(n, `${n} `));
    const { events } = resumed(null, many);
    expect(events.map(({ type, id }) => [type, id])).toEqual([
      ['begun', '0.0'],
      ['text', '1.999'],
    ]);
  });
});

describe('a client that comes back after a takeover', () => {
  const first = [progress(0), delta(1, 'Half '), delta(2, 'of it')];
  const second = [progress(0, 2), delta(1, 'The ', 2), delta(2, 'whole', 2), ended(3, 'The whole', 2)];

  it('reads the new attempt under the mark, once, and nothing more of the old one', () => {
    const whole = live([...first, ...second]);
    for (const [at, { id }] of whole.entries()) {
      const had = textOf(whole.slice(0, at + 1));
      const text = had + resumed(id, [...first, ...second]).text;
      const mark = had === '' && !id.startsWith('2.') ? '' : restartMark;
      expect([id, text.split(restartMark).length - 1, text.endsWith(`${mark}The whole`)]).toEqual([id, mark ? 1 : 0, true]);
    }
  });

  it('sees the mark also where the stream has forgotten the first attempt', () => {
    expect(resumed('1.2', second).text).toBe(`${restartMark}The whole`);
  });

  it('sees no mark when nothing was on its screen', () => {
    expect(resumed(null, [...first, ...second]).text).toBe('The whole');
    expect(resumed('1.0', [...first, ...second]).text).toBe('The whole');
  });

  it('drops what the first attempt still says', () => {
    const after = [delta(3, 'late'), ended(4, 'late'), ...second.slice(2)];
    expect(resumed('1.1', [...first, ...second.slice(0, 2)], { after }).text).toBe(`${restartMark}The whole`);
  });
});

describe('a hole', () => {
  it('is filled with what was missing, and what came behind it follows once', () => {
    const reader = new TurnReader();
    const read = [delta(0, 'a '), progress(3), delta(4, 'e ')].map((message) => reader.read(message)).flat();
    expect([textOf(read), reader.holed, reader.place]).toEqual(['a ', true, { attempt: 1, n: 0 }]);
    const filled = reader.fill([delta(1, 'b '), delta(2, 'c '), progress(3), delta(4, 'e '), delta(5, 'f ')]);
    expect(filled.map(({ type, id }) => [type, id])).toEqual([['text', '1.5']]);
    expect([textOf(filled), reader.holed]).toEqual(['b c e f ', false]);
    expect(textOf([...reader.read(delta(5, 'f ')), ...reader.read(delta(6, 'g'))])).toBe('g');
  });

  it('that is filled in part holds the rest back until the end', () => {
    const reader = new TurnReader();
    reader.read(delta(0, 'a '));
    expect(textOf(reader.fill([delta(1, 'b '), delta(3, 'd ')]))).toBe('b ');
    expect(reader.misses(delta(4, 'e '))).toBe(false); // asking again would say the same
    expect(textOf(reader.read(delta(4, 'e ')))).toBe('');
    expect(textOf(reader.read(ended(5, 'a b c d e ')))).toBe('c d e ');
  });

  it('at the beginning of a new attempt shows nothing more of the old one', () => {
    const reader = new TurnReader();
    reader.read(delta(0, 'old '));
    expect(reader.misses(delta(1, 'b', 2))).toBe(true);
    expect(textOf(reader.fill([delta(1, 'older '), delta(0, 'a', 2), delta(1, 'b', 2)]))).toBe(`${restartMark}ab`);
  });

  it('in an answer that broke off is filled from the journal, without a mark', () => {
    const reader = new TurnReader();
    reader.read(delta(0, 'half '));
    reader.read(delta(2, 'lost'));
    const cut = { ...finished('half of it'), status: 'failed' as const, error: { slug: 'model-cut', message: 'x' } };
    expect(textOf(reader.finish(cut))).toBe('of it');
  });
});
