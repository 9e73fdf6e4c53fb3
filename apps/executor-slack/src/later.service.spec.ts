// What is not sent now: scheduled messages and drafts.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createDraft } from './create-draft.js';
import { scheduleMessage } from './schedule-message.js';
import { type SlackTrial, startSlackTrial } from './try-slack.fixture.js';

let t: SlackTrial;
let web = '';
beforeAll(async () => {
  t = await startSlackTrial({ users: [{ name: 'ann' }], channels: [{ name: 'web-relaunch' }] }, 'ann');
  web = await t.channel('web-relaunch');
}, 30_000);
afterAll(() => t?.stop());
afterEach(() => t.stage.calm());

const posts = () => t.stage.calls.filter(({ method }) => method === 'chat.postMessage');
const history = async (channel: string) =>
  (await t.stage.as('admin')<{ messages: { text: string }[] }>('conversations.history', { channel })).messages;

describe('slack_schedule_message', () => {
  const later = () => new Date(Math.ceil(Date.now() / 1000 + 3600) * 1000);
  const iso = (date: Date) => date.toISOString().replace('.000Z', '+00:00');

  it('has Slack keep the message for that second, and says when in words', async () => {
    const at = later();
    const { scheduled_id, when } = await t.content<{ scheduled_id: string; when: string }>(scheduleMessage, {
      channel: 'web-relaunch',
      text: 'Good morning',
      at: iso(at),
    });
    const kept = await t.stage.as('ann')<{ scheduled_messages: object[] }>('chat.scheduledMessages.list');
    expect(kept.scheduled_messages).toEqual([
      expect.objectContaining({ id: scheduled_id, channel_id: web, post_at: at.getTime() / 1000, text: 'Good morning' }),
    ]);
    expect(when).toMatch(/^\w+day, \d+ \w+ 20\d\d at \d\d:\d\d \(UTC\)$/);
  });

  it('finds what it scheduled when the answer was lost', async () => {
    t.stage.stunt('chat.scheduleMessage', () => 'lose');
    const { notes } = await t.content<{ notes: string[] }>(scheduleMessage, {
      channel: web,
      text: 'Lost and found',
      at: iso(new Date(later().getTime() + 60_000)),
    });
    expect(notes).toEqual([expect.stringMatching(/is scheduled/)]);
  });

  it.each([
    ['has passed', -60, 'slack-time-in-past'],
    ['is in ten seconds', 10, 'slack-time-in-past'],
    ['is in half a year', 180 * 86_400, 'slack-time-too-far'],
  ])('refuses a time that %s, before it asks Slack anything', async (_when, seconds, slug) => {
    const at = new Date(Date.now() + seconds * 1000).toISOString();
    expect((await t.run(scheduleMessage, { channel: web, text: 'x', at })).error).toMatchObject({ kind: 'refusal', slug });
    expect(t.stage.calls).toEqual([]);
  });

  it('wants the zone of the time', async () => {
    expect((await t.run(scheduleMessage, { channel: web, text: 'x', at: '2030-01-01T09:00:00' })).error).toMatchObject({
      slug: 'invalid-arguments',
    });
  });
});

describe('slack_create_draft', () => {
  it("puts the text into the user's own messages, where nobody else sees it, and wakes nobody", async () => {
    const before = await history(web);
    const { destination, link } = await t.content<{ destination: string; link: string }>(createDraft, {
      channel: '#web-relaunch',
      text: '<!channel> The plan',
    });
    expect([destination, link]).toEqual(['#web-relaunch', expect.stringContaining('/archives/DSELF')]);
    expect(posts().map(({ args }) => args.channel)).toEqual([expect.stringMatching(/^DSELF/)]);
    expect(posts()[0]!.args.text).toBe(`*Draft for <https://emulate.slack.com/archives/${web}|#web-relaunch>*\n@channel The plan`);
    expect(await history(web)).toEqual(before);
  });
});
