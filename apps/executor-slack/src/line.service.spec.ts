// What the line does to a call: rate limits, tokens that no longer open anything, answers that are none.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@skillgate/backing/free-port';
import { FakeArtifacts, tryTool } from '@skillgate/executor-kit/try-tool';
import type { ToolContext } from '@skillgate/executor-kit/tool-context';
import { findDestination } from './find-channel.js';
import { openSlack } from './open-slack.js';
import { readChannel } from './read-channel.js';
import { readProfile } from './read-profile.js';
import { sendMessage } from './send-message.js';
import { slackAddress } from './slack-address.js';
import { SlackMemory } from './slack-memory.js';
import { type SlackTrial, credentialOf, startSlackTrial } from './try-slack.fixture.js';

let t: SlackTrial;
beforeAll(async () => {
  t = await startSlackTrial({ users: [{ name: 'ann' }], channels: [{ name: 'web' }] }, 'ann');
}, 30_000);
afterAll(() => t?.stop());
afterEach(() => t.stage.calm());

const limited = (seconds: number) => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: { ok: false, error: 'ratelimited' },
});
const times = (method: string) => t.stage.methods().filter((each) => each === method).length;

describe('a rate limit', () => {
  it('is waited for as long as Slack says, which the user sees, and then it goes on', async () => {
    t.stage.stunt('conversations.history', (_args, count) => (count === 1 ? limited(1) : undefined));
    const started = Date.now();
    const { error, progress } = await t.run(readChannel, { channel: await t.channel('web') });
    expect([error, progress]).toEqual([undefined, ['Slack asks to wait 1 s before it answers more']]);
    expect(Date.now() - started).toBeGreaterThanOrEqual(950);
    expect(times('conversations.history')).toBe(2);
  });

  it('that nobody would sit through is told with its time, and the method is left alone for that long', async () => {
    const token = t.stage.token('ann');
    const channel = await t.channel('web');
    t.stage.stunt('conversations.history', () => limited(300));
    for (let n = 0; n < 2; n += 1) {
      const { error } = await t.run(readChannel, { channel }, token);
      expect(error).toMatchObject({ kind: 'unavailable', slug: 'slack-rate-limited', message: expect.stringMatching(/for (300|299) s/) });
    }
    expect(times('conversations.history')).toBe(1);
  });

  it('counts for its own connection alone', async () => {
    const channel = await t.channel('web');
    t.stage.stunt('conversations.history', (_args, count) => (count === 1 ? limited(300) : undefined));
    await t.run(readChannel, { channel }, t.stage.token('ann'));
    expect((await t.run(readChannel, { channel }, t.stage.token('ann'))).error).toBeUndefined();
  });

  it('before a send is a refusal, since nothing was sent', async () => {
    t.stage.stunt('chat.postMessage', () => limited(300));
    const { error } = await t.run(sendMessage, { channel: '#web', text: 'x' }, t.stage.token('ann'));
    expect(error).toMatchObject({ kind: 'refusal', slug: 'slack-rate-limited', message: expect.stringContaining('Nothing was changed') });
  });

  it('in mid-walk ends it with what was seen so far', async () => {
    t.stage.stunt('conversations.list', (_args, count) =>
      count === 1
        ? { body: { ok: true, channels: [{ id: 'C0000001', name: 'a' }], response_metadata: { next_cursor: 'p2' } } }
        : limited(300),
    );
    const { error } = await t.run(readChannel, { channel: '#far' }, t.stage.token('ann'));
    expect(error).toMatchObject({
      kind: 'refusal',
      slug: 'slack-channel-not-reached',
      message: expect.stringMatching(/first 1 channels \(Slack takes no more requests/),
    });
  });
});

describe('a token that opens nothing any more', () => {
  /** A lease that hands out these tokens, one for each that was refused. */
  const leasing = (...tokens: string[]) => {
    const refused: string[] = [];
    const credential: ToolContext['credential'] = async (_integration, { rejected } = {}) => {
      if (rejected) refused.push(rejected.lease);
      return credentialOf(tokens[Math.min(refused.length, tokens.length - 1)]!);
    };
    return { refused, context: { credential, signal: new AbortController().signal, progress: () => undefined } as unknown as ToolContext };
  };

  it('is handed back once and its successor used, also for a send', async () => {
    const [gone, fresh] = [t.stage.token('ann'), t.stage.token('ann')];
    t.stage.revoke(gone);
    const { context, refused } = leasing(gone, fresh);
    const slack = await openSlack(context, 'changing', new SlackMemory());
    const answer = await slack.change<{ ts: string }>('chat.postMessage', { channel: await t.channel('web'), text: 'Renewed' });
    expect(answer.ts).toMatch(/^\d+\.\d+$/);
    expect(refused).toEqual([credentialOf(gone).lease]);
    expect(t.stage.calls.filter(({ method }) => method === 'chat.postMessage').map(({ token }) => token)).toEqual([gone, fresh]);
  });

  it('ends with the word that Slack must be connected again when its successor is refused, too', async () => {
    const gone = t.stage.token('ann');
    t.stage.revoke(gone);
    const { error } = await t.run(readProfile, { user: 'me' }, gone);
    expect(error).toMatchObject({ kind: 'refusal', slug: 'slack-not-accepted', message: expect.stringMatching(/Connect Slack again/) });
    expect(times('auth.test')).toBe(2);
  });

  it('stands in no result, error or progress', async () => {
    const token = t.stage.token('ann');
    t.stage.stunt('users.info', () => ({ body: { ok: false, error: `<html>${token}</html>` } }));
    const { error } = await t.run(readProfile, { user: 'me' }, token);
    expect(error).toMatchObject({ kind: 'unavailable', slug: 'slack-no-answer', message: expect.stringContaining('unreadable_answer') });
    expect(JSON.stringify([error!.toWire(), error!.cause])).not.toContain(token);
  });
});

describe('a Slack that cannot be had', () => {
  it('is unavailable for a read, and a refusal for a send that never left', async () => {
    const before = process.env.SKILLGATE_SLACK_API_URL;
    process.env.SKILLGATE_SLACK_API_URL = `http://127.0.0.1:${await freePort()}/`;
    const [read, sent] = [
      await t.run(readProfile, { user: 'U0000000' }),
      await t.run(sendMessage, { channel: 'C0000000', text: 'x' }, t.stage.token('ann')),
    ];
    process.env.SKILLGATE_SLACK_API_URL = before;
    expect(read.error).toMatchObject({ kind: 'unavailable' });
    expect(sent.error).toMatchObject({
      kind: 'refusal',
      slug: 'slack-unreachable',
      message: expect.stringContaining('Nothing was changed'),
    });
  });

  it('does not keep a call that its user has stopped', async () => {
    const stop = new AbortController();
    t.stage.stunt('conversations.history', () => limited(30));
    const run = tryTool(readChannel, { channel: await t.channel('web') }, new FakeArtifacts(), stop.signal, {
      slack: credentialOf(t.stage.token('ann')),
    });
    setTimeout(() => stop.abort(), 300);
    const started = Date.now();
    expect((await run).error).toMatchObject({ kind: 'unavailable', slug: 'cancelled' });
    expect(Date.now() - started).toBeLessThan(3_000);
  });

  it('is not asked at all without a connection', async () => {
    const { error } = await tryTool(readProfile, { user: 'me' });
    expect(error).toMatchObject({ slug: 'integration-not-connected' });
    expect(t.stage.calls).toEqual([]);
  });
});

describe('a name', () => {
  it('of a channel is asked for once, however often it is used', async () => {
    const context = {
      credential: async () => credentialOf(t.token),
      signal: new AbortController().signal,
      progress: () => undefined,
    } as unknown as ToolContext;
    const memory = new SlackMemory();
    for (let n = 0; n < 3; n += 1) expect((await findDestination(await openSlack(context, 'reading', memory), '#web')).called).toBe('#web');
    expect(times('conversations.list')).toBe(1);
  });

  it('that is younger than what is remembered is found all the same', async () => {
    const token = t.stage.token('ann');
    expect((await t.run(readChannel, { channel: '#brand-new' }, token)).error).toMatchObject({ slug: 'slack-unknown-channel' });
    await t.stage.as('ann')('conversations.create', { name: 'brand-new' });
    expect((await t.run(readChannel, { channel: '#brand-new' }, token)).error).toBeUndefined();
    expect(times('conversations.list')).toBe(2);
  });
});

describe('the address of Slack', () => {
  it.each<[string, string | undefined, string]>([
    ['is the published one', undefined, 'https://slack.com/api/'],
    ['may be another', 'https://slack-gov.example/api', 'https://slack-gov.example/api/'],
    ['may be this machine without TLS', 'http://127.0.0.1:4003/api/', 'http://127.0.0.1:4003/api/'],
  ])('%s', (_what, value, address) => expect(slackAddress({ SKILLGATE_SLACK_API_URL: value })).toBe(address));

  it('is never another machine without TLS', () =>
    expect(() => slackAddress({ SKILLGATE_SLACK_API_URL: 'http://slack.example/api/' })).toThrow(/no https/));
});
