import { describe, expect, it } from '@jest/globals';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { RouteStep } from '@skillgate/contracts/route';
import type { HistoryItem } from '@skillgate/prompt/history';
import { Journal } from './journal.js';
import { digestOf, outcomeOf, turnOf } from './spec-support/facts.js';
import type { Count, Unsaved } from './turn-records.js';

const facts = { visible: [], withheld: [], tokens: { base: 0, catalog: 0, loaded: 0, tools: 0, conversation: 0, monolith: 0 }, catalogHash: null };
const said = (text: string): HistoryItem => ({ kind: 'assistant', text, calls: [] });
const step: RouteStep = { kind: 'model', ms: 1, inputTokens: 1, outputTokens: 1, cachedTokens: 0, finish: 'stop' };
const pin = { slug: 'memo', version: '1.0.0', digest: digestOf('a') };
const prefix = { prefix: 'p', prefixHash: 'h', prefixTools: true, announced: [], epoch: 0 };

/** A store that fails with these errors first, and keeps what it took. */
function journalOver(...errors: Error[]) {
  const taken: { from: Count; unsaved: Unsaved; end: boolean }[] = [];
  let tries = 0;
  const take = (end: boolean) => async (_: unknown, from: Count, unsaved: Unsaved) => {
    tries += 1;
    await new Promise((resolve) => setImmediate(resolve));
    const error = errors.shift();
    if (error) throw error;
    taken.push({ from, unsaved, end });
  };
  const turn = turnOf();
  return { taken, tries: () => tries, journal: new Journal({ append: take(false), end: take(true), release: async () => true, suspend: async () => ({ askedAt: new Date(), until: new Date() }) }, turn, [...turn.items], { ...outcomeOf().usage, usd: 0 }) };
}

describe('the journal of a turn', () => {
  it('writes only what is new, behind what is there', async () => {
    const { journal, taken } = journalOver();
    journal.history.push(said('a'), said('b'));
    journal.steps.push(step);
    await journal.save(facts);
    journal.history.push(said('c'));
    await journal.end(outcomeOf(), facts);
    expect(taken).toMatchObject([
      { from: { items: 1, steps: 0 }, unsaved: { items: [said('a'), said('b')], steps: [step] }, end: false },
      { from: { items: 3, steps: 1 }, unsaved: { items: [said('c')], steps: [] }, end: true },
    ]);
  });

  it('writes prefix and pins with the next commit, once', async () => {
    const { journal, taken } = journalOver();
    journal.freeze(prefix);
    journal.pin([pin]);
    await journal.save(facts);
    await journal.save(facts);
    expect(taken.map(({ unsaved }) => unsaved.chat)).toEqual([{ ...prefix, pinned: [pin] }, {}]);
  });

  it('leaves what came during a commit to the next one', async () => {
    const { journal, taken } = journalOver();
    journal.history.push(said('a'));
    const saving = journal.save(facts);
    await new Promise((resolve) => process.nextTick(resolve));
    journal.history.push(said('b'));
    journal.pin([pin]);
    await saving;
    await journal.save(facts);
    expect(taken.map(({ unsaved }) => unsaved.items)).toEqual([[said('a')], [said('b')]]);
    expect(taken[1]).toMatchObject({ from: { items: 2 }, unsaved: { chat: { pinned: [pin] } } });
  });

  it('commits one behind the other', async () => {
    const { journal, taken } = journalOver();
    journal.history.push(said('a'));
    const first = journal.save(facts);
    await Promise.all([first, journal.end(outcomeOf(), facts)]);
    expect(taken.map(({ from, end }) => [from.items, end])).toEqual([[1, false], [2, true]]);
  });

  it('tries again while the database is away', async () => {
    const { journal, taken, tries } = journalOver(unavailable('database-down', 'away'));
    await journal.end(outcomeOf(), facts);
    expect(tries()).toBe(2);
    expect(taken).toHaveLength(1);
  });

  it('does not try again what was refused, and keeps it for the next commit', async () => {
    const { journal, taken, tries } = journalOver(refuse('turn-not-held', 'ended elsewhere'));
    journal.history.push(said('a'));
    journal.freeze(prefix);
    await expect(journal.save(facts)).rejects.toMatchObject({ slug: 'turn-not-held' });
    expect(tries()).toBe(1);
    await journal.end(outcomeOf(), facts);
    expect(taken).toMatchObject([{ from: { items: 1 }, unsaved: { items: [said('a')], chat: prefix } }]);
  });
});
