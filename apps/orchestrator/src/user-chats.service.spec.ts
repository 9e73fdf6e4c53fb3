// Proves: a user lists, names, searches, exports and deletes the own chats, and nobody else's; what is deleted is gone, and told.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '@skillgate/contracts/audit';
import type { HistoryItem } from '@skillgate/prompt/history';
import { readAudit } from '@skillgate/store/read-audit';
import type { Role } from '@skillgate/contracts/entitlements';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import { ChatStore } from './chat-store.js';
import { exportTurns } from './export-store.js';
import { SearchChats } from './search-store.js';
import { GetChat } from './serve/get-chat.js';
import { said, startStore, type StoreWorld } from './spec-support/store-world.js';
import { outcomeOf } from './spec-support/facts.js';
import type { NewTurn } from './turn-records.js';
import { UserChatsStore } from './user-chats-store.js';

let world: StoreWorld;
let chats: UserChatsStore;
let search: SearchChats;

beforeAll(async () => {
  world = await startStore();
  chats = new UserChatsStore(world.dataSource);
  search = new SearchChats(world.dataSource);
}, 60_000);
afterAll(() => world?.close());

const asked = (text: string): HistoryItem => ({ kind: 'user', content: text });
const actorOf = ({ account, user }: { account: string; user: string }): Actor => ({ account, user, roles: ['user'] });
const someone = () => ({ account: randomUUID(), user: randomUUID() });

/** A chat of one turn, with a question and its answer. */
async function chatOf(owner: { account: string; user: string }, question: string, answer: string): Promise<NewTurn> {
  const turn = await world.begun({ ...owner, items: [asked(question)] });
  await world.end(turn, undefined, [said(answer)]);
  return turn;
}

describe('one chat', () => {
  it.each<[string, 'same' | 'other', Role[], boolean, boolean]>([
    ['another user of the account', 'same', ['user'], false, false],
    ['an admin of the account', 'same', ['admin'], false, true],
    ['an admin of another account who names this one', 'other', ['admin'], true, false],
    ['an operator who names the account', 'other', ['operator'], true, true],
    ['an operator who does not', 'other', ['operator'], false, false],
  ])('of somebody else, read by %s', async (_who, where, roles, names, seen) => {
    const ann = someone();
    const { chat } = await chatOf(ann, 'Mine', 'Yes.');
    const claims = { account: where === 'same' ? ann.account : randomUUID(), user: randomUUID(), roles } as TicketClaims;
    const asking = new GetChat({ verify: async () => claims } as unknown as Verifier<TicketClaims>, new ChatStore(world.dataSource)).handle({ ticket: 'a.b.c', chat, ...(names && { account: ann.account }) });
    if (seen) expect(await asking).toMatchObject({ chat });
    else await expect(asking).rejects.toMatchObject({ slug: 'unknown-chat' });
  });
});

describe('the list of chats', () => {
  it('has the last used first, page by page, each once, with the beginning of what was asked for a title', async () => {
    const ann = someone();
    const turns: NewTurn[] = [];
    for (let n = 0; n < 5; n++) turns.push(await chatOf(ann, `Question ${n}\n  of mine`, 'Yes.'));
    const again = await world.begun({ ...ann, chat: turns[1]!.chat, stateful: true, items: [asked('And again')] });
    await world.end(again, { items: 3, steps: 0 });
    const seen: string[] = [];
    for (let before: string | undefined; ;) {
      const { chats: page, next } = await chats.list(ann, 2, before);
      seen.push(...page.map(({ title }) => title));
      if (!next) break;
      before = next;
    }
    expect(seen).toEqual([1, 4, 3, 2, 0].map((n) => `Question ${n} of mine`));
    const [first] = (await chats.list(ann, 1)).chats;
    expect(first).toMatchObject({ chat: turns[1]!.chat, named: false, turns: 2, model: again.model, persona: null });
  });

  it('has nobody else\'s, of the account or of another', async () => {
    const ann = someone();
    await chatOf(ann, 'Mine', 'Yes.');
    expect((await chats.list({ account: ann.account, user: randomUUID() }, 10)).chats).toEqual([]);
    expect((await chats.list({ account: randomUUID(), user: ann.user }, 10)).chats).toEqual([]);
  });

  it('cuts a long question between characters as people see them, and names a picture alone nothing', async () => {
    const ann = someone();
    await chatOf(ann, '👩‍👩‍👧'.repeat(200), 'Yes.');
    const picture: HistoryItem = { kind: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] };
    await world.end(await world.begun({ ...ann, items: [picture] }));
    const titles = (await chats.list(ann, 10)).chats.map(({ title }) => title);
    expect(titles[0]).toBe('');
    expect(titles[1]).toMatch(/^(👩‍👩‍👧){80}…$/u);
  });
});

describe('a name', () => {
  it('stands in place of the question until it is taken back, and the log knows who, not what', async () => {
    const ann = someone();
    const { chat } = await chatOf(ann, 'What is rent?', 'Money.');
    expect(await chats.rename(ann, chat, 'The Zanzibar plan', ['zanzibar'], actorOf(ann))).toMatchObject({ title: 'The Zanzibar plan', named: true });
    expect((await search.search(ann, { query: 'zanzibar', limit: 5 })).passages).toMatchObject([{ chat, by: 'title', turn: null, snippet: 'The Zanzibar plan' }]);
    expect(await chats.rename(ann, chat, null, [], actorOf(ann))).toMatchObject({ title: 'What is rent?', named: false });
    expect((await search.search(ann, { query: 'zanzibar', limit: 5 })).passages).toEqual([]);
    const { entries } = await readAudit(world.dataSource, 'orchestrator', { account: ann.account, limit: 10 });
    expect(entries).toMatchObject([{ action: 'rename-chat', target: chat, after: { named: false } }, { action: 'rename-chat', after: { named: true } }]);
    expect(JSON.stringify(entries)).not.toContain('Zanzibar');
  });

  it.each([
    ['another user of the account', (ann: { account: string }) => ({ account: ann.account, user: randomUUID() })],
    ['a user of another account', (ann: { user: string }) => ({ account: randomUUID(), user: ann.user })],
  ])('is not given by %s, and nothing is read, exported or deleted', async (_, foreign) => {
    const ann = someone();
    const { chat } = await chatOf(ann, 'What is secret?', 'This.');
    expect((await search.search(ann, { query: 'secret', limit: 5 })).passages).toHaveLength(1); // its words are kept now
    const eve = foreign(ann as never) as { account: string; user: string };
    for (const tried of [() => chats.rename(eve, chat, 'x', [], actorOf(eve)), () => chats.get(eve, chat), () => chats.delete(eve, chat, actorOf(eve))]) {
      await expect(tried()).rejects.toMatchObject({ slug: 'unknown-chat' });
    }
    expect((await exportTurns(world.dataSource, eve, chat, 0)).turns).toEqual([]);
    expect((await search.search(eve, { query: 'secret', limit: 5 })).passages).toEqual([]);
    expect(await chats.get(ann, chat)).toMatchObject({ title: 'What is secret?' });
  });
});

describe('the search', () => {
  it('finds the best passage of each chat in any form of the words, the rarest word first', async () => {
    const ann = someone();
    const flat = await chatOf(ann, 'Who pays for the flat?', 'The landlord rents it out, and the tenant pays the rent.');
    const mixed = await chatOf(ann, 'Tell me about flats.', 'Flats are homes.');
    await chatOf(ann, 'What is the weather?', 'Rain.');
    const german = await chatOf(ann, 'Wie hoch ist die Miete der Wohnung?', 'Das weiß ich nicht.');
    const { passages, complete } = await search.search(ann, { query: 'renting flats', limit: 5 });
    expect(complete).toBe(true);
    expect(passages.map(({ chat }) => chat)).toEqual([flat.chat, mixed.chat]);
    expect(passages[0]).toMatchObject({ by: 'assistant', turn: flat.turn, title: 'Who pays for the flat?', snippet: expect.stringContaining('rents it out') });
    expect((await search.search(ann, { query: 'Mieten', limit: 5 })).passages).toMatchObject([{ chat: german.chat, by: 'user' }]);
    expect((await search.search(ann, { query: 'renting flats', limit: 1 })).passages).toHaveLength(1);
    expect((await search.search(ann, { query: 'renting flats', limit: 5, except: flat.chat })).passages.map(({ chat }) => chat)).toEqual([mixed.chat]);
    expect((await search.search(ann, { query: '?!', limit: 5 })).passages).toEqual([]);
  });

  it('says which words stand everywhere and are not searched, where silence would say that nobody said them', async () => {
    const ann = someone();
    const { chat } = await chatOf(ann, 'Tell me again what the rent is.', 'Money.');
    expect(await search.search(ann, { query: 'again', limit: 5 })).toEqual({ passages: [], complete: true, skipped: [{ word: 'again', languages: ['en'] }] });
    const both = await search.search(ann, { query: 'rent again', limit: 5 });
    expect(both).toMatchObject({ passages: [{ chat }], skipped: [{ word: 'again' }] });
    expect(await search.search(ann, { query: 'rent', limit: 5 })).not.toHaveProperty('skipped');
  });

  it('finds what was said since, and leaves a turn alone until it has ended', async () => {
    const ann = someone();
    const first = await chatOf(ann, 'Of apples', 'Yes.');
    const next = await world.begun({ ...ann, chat: first.chat, stateful: true, items: [asked('Of pears')] });
    expect((await search.search(ann, { query: 'pears apples', limit: 5 })).passages).toMatchObject([{ chat: first.chat, turn: first.turn }]);
    expect((await search.search(ann, { query: 'pears', limit: 5 })).passages).toEqual([]);
    await world.end(next, { items: 3, steps: 0 });
    expect((await search.search(ann, { query: 'pears', limit: 5 })).passages).toMatchObject([{ chat: first.chat, turn: next.turn }]);
  });

  it('reads hundreds of chats that nobody has searched, by two who ask at once, each passage once', async () => {
    const ann = someone();
    for (let n = 0; n < 45; n++) await chatOf(ann, `Note ${n} of walnuts`, 'Kept.');
    const both = await Promise.all([1, 2].map(() => search.search(ann, { query: 'walnut', limit: 50 })));
    for (const { passages } of both) expect(passages).toHaveLength(45);
    const rows = await world.sql<{ n: number }>(ann.account, 'SELECT count(*)::int AS n FROM chat_words', []);
    expect(rows).toEqual([{ n: 90 }]);
  });

  it('never finds what tools brought or skills said', async () => {
    const ann = someone();
    const turn = await world.begun({ ...ann, items: [asked('Go')] });
    const call: HistoryItem = { kind: 'assistant', text: '', calls: [{ id: 'c1', name: 'docs_read_text', arguments: '{"artifact":"quince"}' }] };
    await world.end(turn, undefined, [call, { kind: 'result', callId: 'c1', content: 'All about quince' }, said('Done.')]);
    expect((await search.search(ann, { query: 'quince', limit: 5 })).passages).toEqual([]);
  });
});

describe('an export', () => {
  it('has every turn with what was said in it, in order, and nothing that is a provider\'s or a skill\'s', async () => {
    const ann = someone();
    const turn = await world.begun({ ...ann, items: [{ kind: 'facts', text: 'It is Monday.' }, asked('Read it')] });
    await world.end(turn, { items: 2, steps: 0 }, [
      { kind: 'assistant', text: 'I look.', calls: [{ id: 'c1', name: 'load_skill', arguments: '{"slug":"x"}', provider: { model: 'm', call: { opaque: 'sealed' } } }] },
      { kind: 'result', callId: 'c1', content: '{"loaded":"x"}' },
      { kind: 'loaded', skills: [{ slug: 'x', version: '1.0.0', digest: 'a'.repeat(64), instructions: 'Deep magic.', source: 'platform' }], callIds: {} },
      said('Done.'),
    ]);
    const { turns, next } = await exportTurns(world.dataSource, ann, turn.chat, 0);
    expect(turns).toMatchObject([{ turn: turn.turn, status: 'finished', usage: outcomeOf().usage, artifacts: [] }]);
    expect(turns[0]!.messages).toEqual([
      { role: 'notice', content: 'It is Monday.' },
      { role: 'user', content: 'Read it' },
      { role: 'assistant', content: 'I look.', calls: [{ id: 'c1', name: 'load_skill', arguments: '{"slug":"x"}' }] },
      { role: 'tool', callId: 'c1', content: '{"loaded":"x"}', images: [] },
      { role: 'skills', skills: [{ slug: 'x', version: '1.0.0', digest: 'a'.repeat(64) }] },
      { role: 'assistant', content: 'Done.', calls: [] },
    ]);
    expect(next === null || (await exportTurns(world.dataSource, ann, turn.chat, next)).turns.length === 0).toBe(true);
    expect(JSON.stringify(turns)).not.toMatch(/sealed|Deep magic/);
  });

  it('comes in pages that the wire carries, none empty, and no message is lost or twice', async () => {
    const ann = someone();
    const long = (letter: string) => asked(letter.repeat(60 * 1024));
    const turn = await world.begun({ ...ann, items: [long('a'), long('b'), asked('x'.repeat(150 * 1024)), long('c'), asked('end')] });
    await world.end(turn);
    const firsts: string[] = [];
    for (let from: number | null = 0; from !== null;) {
      const page: Awaited<ReturnType<typeof exportTurns>> = await exportTurns(world.dataSource, ann, turn.chat, from);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(200 * 1024);
      firsts.push(...page.turns.flatMap(({ messages }) => messages.map((message) => ('content' in message ? String(message.content)[0]! : ''))));
      from = page.next;
    }
    expect(firsts.join('')).toBe('abxceD');
  });
});

describe('a chat that is deleted', () => {
  it('is gone with items, turns, steps and words, and the house is told once', async () => {
    const ann = someone();
    const turn = await chatOf(ann, 'Forget me', 'Yes.');
    const kept = await chatOf(ann, 'Keep me', 'Yes.');
    await search.search(ann, { query: 'forget', limit: 5 });
    await chats.delete(ann, turn.chat, actorOf(ann));
    for (const [table, column] of [['chats', 'id'], ['chat_items', 'chat'], ['turns', 'chat'], ['chat_words', 'chat']]) {
      expect([table, await world.sql(ann.account, `SELECT 1 FROM ${table} WHERE ${column} = $1`, [turn.chat])]).toEqual([table, []]);
    }
    expect((await search.search(ann, { query: 'forget keep', limit: 5 })).passages.map(({ chat }) => chat)).toEqual([kept.chat]);
    await expect(chats.delete(ann, turn.chat, actorOf(ann))).rejects.toMatchObject({ slug: 'unknown-chat' });
    const { entries } = await readAudit(world.dataSource, 'orchestrator', { account: ann.account, limit: 10 });
    expect(entries).toMatchObject([{ action: 'delete-chat', target: turn.chat, actor: { user: ann.user }, before: { turns: 1 }, after: null }]);
  });

  it('is not while a turn works in it', async () => {
    const ann = someone();
    const turn = await world.begun({ ...ann, items: [asked('Wait')] });
    await expect(chats.delete(ann, turn.chat, actorOf(ann))).rejects.toMatchObject({ slug: 'turn-in-progress' });
    await world.end(turn);
    await chats.delete(ann, turn.chat, actorOf(ann));
  });

  it('takes no turn that is begun meanwhile: one of the two is refused', async () => {
    const ann = someone();
    for (let n = 0; n < 5; n++) {
      const { chat } = await chatOf(ann, 'Race', 'Yes.');
      const outcomes = await Promise.allSettled([chats.delete(ann, chat, actorOf(ann)), world.begun({ ...ann, chat, stateful: true, items: [asked('x')] })]);
      const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [(each.reason as { slug: string }).slug] : []));
      expect(refused).toHaveLength(1);
      expect(['unknown-chat', 'turn-in-progress']).toContain(refused[0]);
    }
  });
});
