// Channels and people in lists of many pages: followed to their end, within a bound, remembered for one connection.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readChannel } from './read-channel.js';
import { readProfile } from './read-profile.js';
import { searchChannels } from './search-channels.js';
import { searchUsers } from './search-users.js';
import { type SlackTrial, startSlackTrial } from './try-slack.fixture.js';

let t: SlackTrial;
let ann = '';

beforeAll(async () => {
  const cast = {
    users: [
      {
        name: 'ann',
        real_name: 'Ann Reed',
        email: 'ann@example.com',
        profile: { title: 'Design lead', status_text: 'On leave', status_emoji: ':palm_tree:', status_expiration: 1 },
      },
      { name: 'tom', real_name: 'Tom Hill', profile: { display_name: 'Tom' } },
      { name: 'tom2', real_name: 'Tom Hall', profile: { display_name: 'Tom', title: 'Payments' } },
    ],
    channels: [
      { name: 'web-relaunch', topic: 'Everything about the new site' },
      { name: 'design', purpose: 'Where designers meet' },
      { name: 'design-critique' },
    ],
  };
  t = await startSlackTrial(cast, 'ann');
  ann = await t.person('ann');
}, 30_000);
afterAll(() => t?.stop());
afterEach(() => t.stage.calm());

describe('slack_search_channels', () => {
  interface Found {
    channels: { name: string; people?: number }[];
    next_cursor: string | null;
    looked_at: number;
    notes: string[];
  }
  const names = ({ channels }: Found) => channels.map(({ name }) => name);

  it.each([
    ['part of a name, the very name first', 'design', ['#design', '#design-critique']],
    ['words of the topic', 'new site', ['#web-relaunch']],
    ['words of the purpose', 'designers meet', ['#design']],
  ])('finds channels by %s', async (_what, query, found) => {
    expect(names(await t.content<Found>(searchChannels, { query }))).toEqual(found);
  });

  it('follows empty pages to their end, remembers them, and asks for no private list twice', async () => {
    const token = t.stage.token('ann');
    t.stage.stunt('conversations.list', ({ cursor = 'p1' }) => {
      const page = Number(cursor.slice(1));
      const channels = page === 6 ? [{ id: 'C0000006', name: 'far-away' }] : page === 1 ? [{ id: 'C0000001', name: 'near' }] : [];
      return { body: { ok: true, channels, response_metadata: { next_cursor: page < 6 ? `p${page + 1}` : '' } } };
    });
    const found = await t.content<Found>(searchChannels, { query: 'far-away' }, token);
    expect([names(found), found.next_cursor]).toEqual([['#far-away'], null]);
    await t.content<Found>(searchChannels, { query: 'near' }, token);
    expect(t.stage.methods().filter((method) => method === 'conversations.list')).toHaveLength(6);
    await t.content<Found>(searchChannels, { query: 'near' }, t.stage.token('ann'));
    expect(t.stage.methods().filter((method) => method === 'conversations.list').length).toBeGreaterThan(6);
  });

  it('stops a walk that is too long, says so, and goes on from its cursor', async () => {
    const token = t.stage.token('ann');
    t.stage.stunt('conversations.list', ({ cursor = 'p1' }) => {
      const page = Number(cursor.slice(1));
      const channels = [{ id: `C00000${page}`, name: `channel-${page}` }];
      return { body: { ok: true, channels, response_metadata: { next_cursor: page < 20 ? `p${page + 1}` : '' } } };
    });
    const one = await t.content<Found>(searchChannels, { query: 'nowhere' }, token);
    expect(one).toMatchObject({
      channels: [],
      looked_at: 15,
      next_cursor: 'p16',
      notes: [expect.stringMatching(/Not the whole list was read/)],
    });
    const two = await t.content<Found>(searchChannels, { query: 'channel-20', cursor: one.next_cursor }, token);
    expect([names(two), two.next_cursor]).toEqual([['#channel-20'], null]);
    expect((await t.run(readChannel, { channel: '#channel-20' }, token)).error?.slug).not.toBe('slack-channel-not-reached');
  });

  it('does not go in circles with a cursor that comes back', async () => {
    t.stage.stunt('conversations.list', ({ cursor }) => ({
      body: { ok: true, channels: [], response_metadata: { next_cursor: cursor === 'b' ? 'a' : cursor === 'a' ? 'b' : 'a' } },
    }));
    expect((await t.run(searchChannels, { query: 'x' }, t.stage.token('ann'))).error).toMatchObject({ slug: 'slack-list-in-circles' });
  });
});

describe('slack_search_users and slack_read_profile', () => {
  interface Found {
    people: { id: string; name: string; handle: string; title?: string; status?: string }[];
  }

  it.each([
    ['a name', 'reed', ['@ann']],
    ['a title', 'payments', ['@tom2']],
    ['a name that two share', 'tom', ['@tom', '@tom2']],
  ])('finds people by %s', async (_what, query, found) => {
    const { people } = await t.content<Found>(searchUsers, { query });
    expect(people.map(({ handle }) => handle)).toEqual(found);
  });

  it('reads a profile by id, address or "me", and leaves out a status that has ended', async () => {
    const about = { id: ann, handle: '@ann', full_name: 'Ann Reed', title: 'Design lead', email: 'ann@example.com', kind: 'member' };
    for (const user of [ann, 'ann@example.com', 'me', '@ann']) {
      const profile = await t.content<Found['people'][0]>(readProfile, { user });
      expect(profile).toMatchObject(about);
      expect(profile.status).toBeUndefined();
    }
  });

  it('asks who is meant when several have that name', async () => {
    const { error } = await t.run(readProfile, { user: '@Tom' });
    expect(error).toMatchObject({
      kind: 'refusal',
      slug: 'slack-several-people',
      message: expect.stringMatching(/Tom \(U\w+\), Tom \(U\w+, Payments\).*Ask the user/),
    });
  });

  it('says that nobody has that name, and where to look', async () => {
    expect((await t.run(readProfile, { user: '@nobody' })).error).toMatchObject({
      slug: 'slack-unknown-person',
      message: expect.stringContaining('slack_search_users'),
    });
  });
});
