import { describe, expect, it } from '@jest/globals';
import type { TurnMessage, TurnOutcome } from '@skillgate/contracts/turn-stream';
import { TurnReader, missingPart, repairMark, restartMark, type TurnEvent } from './turn-reader.js';

const finished = (answer: string): TurnOutcome => ({
  status: 'finished',
  answer,
  finishReason: 'stop',
  error: null,
  artifacts: [],
  usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0 },
});
const delta = (attempt: number, n: number, text: string): TurnMessage => ({ attempt, n, body: { type: 'delta', text } });
const ended = (attempt: number, n: number, answer: string): TurnMessage => ({
  attempt,
  n,
  body: { type: 'ended', outcome: finished(answer) },
});
const textOf = (events: TurnEvent[]): string => events.map((event) => (event.type === 'text' ? event.text : '')).join('');

function readAll(messages: TurnMessage[]): { text: string; gaps: number; events: TurnEvent[] } {
  const reader = new TurnReader();
  let gaps = 0;
  const events = messages.flatMap((message) => {
    if (reader.misses(message)) gaps += 1;
    return reader.read(message);
  });
  return { text: textOf(events), gaps, events };
}

describe('the reader of a turn', () => {
  it('passes an unbroken stream on as it comes, with ids', () => {
    const { text, gaps, events } = readAll([delta(1, 0, 'Hel'), delta(1, 1, 'lo'), ended(1, 2, 'Hello')]);
    expect(text).toBe('Hello');
    expect(gaps).toBe(0);
    expect(events.map((event) => ([event.type, event.id]))).toEqual([
      ['text', '1.0'],
      ['text', '1.1'],
      ['ended', '1.end'],
    ]);
  });

  it('keeps text of earlier steps before the answer', () => {
    expect(readAll([delta(1, 0, 'Looking. '), delta(1, 1, 'Found it.'), ended(1, 2, 'Found it.')]).text).toBe('Looking. Found it.');
  });

  it('drops duplicates', () => {
    expect(readAll([delta(1, 0, 'a'), delta(1, 0, 'a'), delta(1, 1, 'b')]).text).toBe('ab');
  });

  it('drops what a lower attempt says after a takeover', () => {
    const { text } = readAll([delta(2, 0, 'new'), delta(1, 0, 'old'), ended(1, 1, 'old'), ended(2, 1, 'new')]);
    expect(text).toBe('new');
  });

  it('marks visibly that an answer on the screen starts anew', () => {
    expect(readAll([delta(1, 0, 'half'), delta(2, 0, 'whole'), ended(2, 1, 'whole')]).text).toBe(`half${restartMark}whole`);
  });

  it('needs no mark when the first attempt had shown nothing', () => {
    expect(
      readAll([{ attempt: 1, n: 0, body: { type: 'progress', progress: { stage: 'thinking', message: 'x' } } }, delta(2, 0, 'whole')]).text,
    ).toBe('whole');
  });

  it('reports a gap, holds text back, and sends only the missing suffix at the end', () => {
    const { text, gaps } = readAll([
      delta(1, 0, 'Hello '),
      delta(1, 2, 'wide '),
      delta(1, 3, 'world'),
      ended(1, 4, 'Hello big wide world'),
    ]);
    expect(gaps).toBe(1);
    expect(text).toBe('Hello big wide world');
  });

  it('still shows progress and artifacts after a gap', () => {
    const { events } = readAll([{ attempt: 1, n: 3, body: { type: 'progress', progress: { stage: 'calling', message: 'x' } } }]);
    // Its id is of what came before: who resumes after it must get what is missing, and not only what follows.
    expect(events).toEqual([{ type: 'progress', progress: { stage: 'calling', message: 'x' }, id: '0.0' }]);
  });

  it('is whole again in the next attempt', () => {
    const { text, gaps } = readAll([delta(1, 1, 'lost'), delta(2, 0, 'a'), delta(2, 1, 'b'), ended(2, 2, 'ab')]);
    expect(gaps).toBe(1);
    expect(text).toBe('ab');
  });

  it('adds no text to a turn that failed', () => {
    const reader = new TurnReader();
    reader.read(delta(1, 0, 'half'));
    expect(textOf(reader.finish({ ...finished('other'), status: 'failed' }))).toBe('');
  });
});

describe('what is missing of an answer', () => {
  it.each([
    ['', 'Hello', 'Hello'],
    ['Hel', 'Hello', 'lo'],
    ['Hello', 'Hello', ''],
    ['Looking. Hello', 'Hello', ''],
    ['Looking. He', 'Hello', `${repairMark}Hello`],
  ])('after %j of %j is %j', (sent, answer, missing) => {
    expect(missingPart(sent, answer)).toBe(missing);
  });
});

describe('a turn that waited for its user', () => {
  const usage = { promptTokens: 1, completionTokens: 1, cachedTokens: 0 };
  const said = (attempt: number, n: number, text: string): TurnMessage => ({ attempt, n, body: { type: 'delta', text } });
  const waitsBehind = (attempt: number, n: number, answer: string): TurnMessage => {
    const waiting = { answer, approvals: [], until: '2026-12-01T00:00:00.000Z', usage };
    return { attempt, n, body: { type: 'progress', progress: { stage: 'working', message: 'Waiting', waiting } } };
  };

  it('says what it waits for behind its text, also behind a hole', () => {
    const reader = new TurnReader();
    const events = [said(1, 0, 'One. '), waitsBehind(1, 2, 'One. Two. ')].flatMap((message) => reader.read(message));
    expect(events.map(({ type }) => type)).toEqual(['text', 'text', 'waiting']);
    expect(textOf(events)).toBe('One. Two. ');
  });

  it.each([
    ['whole', ['One. Two. ', 'Three.']],
    ['in other pieces', ['One', '. Two', '. Three.']],
    ['in one piece with what is new', ['One. Two. Three.']],
  ])('repeats nothing to a reader that has it, when it is said again %s', (_how, pieces) => {
    const reader = new TurnReader();
    for (const message of [said(1, 0, 'One. '), said(1, 1, 'Two. '), waitsBehind(1, 2, 'One. Two. ')]) reader.read(message);
    const events = pieces.flatMap((text, n) => reader.read(said(2, n, text)));
    expect(textOf(events)).toBe('Three.');
    expect(textOf(reader.finish({ status: 'finished', answer: 'One. Two. Three. Four.', finishReason: 'stop', error: null, artifacts: [], usage }))).toBe(' Four.');
  });

  it('repeats nothing to a client that comes back, though the stream says again that it waited', () => {
    const stored = [said(1, 0, 'One. '), waitsBehind(1, 1, 'One. '), said(2, 0, 'One. '), said(2, 1, 'Two.')];
    const events = new TurnReader().resume({ attempt: 1, n: 1 }, stored, false);
    expect(events.map(({ type }) => type)).toEqual(['text']);
    expect(textOf(events)).toBe('Two.');
  });

  it('shows all of it under the restart mark where it is said otherwise', () => {
    const reader = new TurnReader();
    for (const message of [said(1, 0, 'One. Two. '), waitsBehind(1, 1, 'One. Two. ')]) reader.read(message);
    const events = ['One. ', 'Zwei.'].flatMap((text, n) => reader.read(said(2, n, text)));
    expect(textOf(events)).toBe(`${restartMark}One. Zwei.`);
  });
});
