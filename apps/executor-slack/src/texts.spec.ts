import { describe, expect, it } from '@jest/globals';
import { outgoingText } from './outgoing-text.js';
import { mentionedIn, readableText } from './readable-text.js';
import { inWords } from './schedule-message.js';
import { canvasLink, messageLink, readCanvasId, readMessageLink } from './slack-link.js';

const names: Record<string, string> = { U0000001: 'Ann' };

describe('a text of Slack', () => {
  it.each([
    ['a mention', 'Hi <@U0000001>', 'Hi @Ann'],
    ['a mention with a label of somebody unknown', '<@U0000009|tom>', '@tom'],
    ['a mention of somebody unknown', '<@U0000009>', '@U0000009'],
    ['a channel', 'in <#C0000001|general>', 'in #general'],
    ['a mention of all', '<!here> now', '@here now'],
    ['a group', '<!subteam^S0000001|@design>', '@design'],
    ['a date', '<!date^1392734382^{date}|Feb 18, 2014>', 'Feb 18, 2014'],
    ['a link with a label', '<https://example.com/a?b=1&amp;c=2|the plan>', 'the plan (https://example.com/a?b=1&c=2)'],
    ['a link without one', '<https://example.com>', 'https://example.com'],
    ['a link that is its label', '<http://example.com|example.com>', 'http://example.com'],
    ['a mail address', '<mailto:ann@example.com|ann@example.com>', 'ann@example.com'],
    ['characters that Slack writes otherwise', '1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['an entity that somebody wrote', '&amp;lt;', '&lt;'],
  ])('is read with %s as people see it', (_what, text, seen) => {
    expect(readableText(text, (id) => names[id])).toBe(seen);
  });

  it('tells whom it mentions', () =>
    expect(mentionedIn('<@U0000001> and <@W0000002|tom>, not <#C0000001>')).toEqual(['U0000001', 'W0000002']));
});

describe('a text for Slack', () => {
  it.each([
    ['code', 'if (a<b) { x = "&" }', 'if (a&lt;b) { x = "&amp;" }'],
    ['an entity that is there already', '&amp; &lt;', '&amp; &lt;'],
    ['a quotation', '> said\n>>> all of it\na > b', '> said\n>>> all of it\na &gt; b'],
    [
      'a person, a channel and a link',
      '<@U0000001> <#C0000001> <https://example.com|here>',
      '<@U0000001> <#C0000001> <https://example.com|here>',
    ],
    ['what only looks like a mark', '<b>bold</b> <script>', '&lt;b&gt;bold&lt;/b&gt; &lt;script&gt;'],
    ['a mark that Slack would run', '<javascript:alert(1)|x>', '&lt;javascript:alert(1)|x&gt;'],
  ])('keeps %s', (_what, text, written) => expect(outgoingText(text, false)).toBe(written));

  it.each(['<!channel> now', '<!here>', 'and <!everyone>', '<!subteam^S0000001|@design>'])('wakes nobody unasked: %s', (text) => {
    expect(() => outgoingText(text, false)).toThrow(expect.objectContaining({ slug: 'slack-wakes-everyone' }) as unknown as Error);
    expect(outgoingText(text, true)).toBe(text);
  });
});

describe('a link', () => {
  const place = { channel: 'C0000001', ts: '1508284197.000015' };
  it.each<[string, string, object | undefined]>([
    ['to a message', 'https://team.slack.com/archives/C0000001/p1508284197000015', place],
    [
      'to a reply',
      'https://team.slack.com/archives/C0000001/p1508284197000015?thread_ts=1508284100.000001&cid=C0000001',
      { ...place, thread: '1508284100.000001' },
    ],
    ['to a channel', 'https://team.slack.com/archives/C0000001', { channel: 'C0000001' }],
    ['of another host', 'https://slack.com.example/archives/C0000001/p1508284197000015', undefined],
    ['that is none', 'C0000001', undefined],
  ])('%s is read', (_what, text, found) => expect(readMessageLink(text)).toEqual(found));

  it('is made as it is read', () => {
    const link = messageLink('https://team.slack.com/', 'C0000001', '1508284197.000015', '1508284100.000001');
    expect(readMessageLink(link)).toEqual({ ...place, thread: '1508284100.000001' });
    expect(readCanvasId(canvasLink('https://team.slack.com/', 'T0000001', 'F0000001'))).toBe('F0000001');
  });
});

describe('a time in words', () => {
  it.each([
    ['Europe/Berlin', 'Thursday, 12 March 2026 at 09:00 (Europe/Berlin)'],
    ['America/Los_Angeles', 'Thursday, 12 March 2026 at 01:00 (America/Los_Angeles)'],
    ['Pacific/Auckland', 'Thursday, 12 March 2026 at 21:00 (Pacific/Auckland)'],
  ])('is that of %s', (zone, words) => expect(inWords(new Date('2026-03-12T09:00:00+01:00'), zone)).toBe(words));
});
