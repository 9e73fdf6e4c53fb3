// Canvases against Slack's published shapes: one section is changed, and what others wrote stays.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createCanvas } from './create-canvas.js';
import { readCanvas } from './read-canvas.js';
import { type SlackTrial, startSlackTrial } from './try-slack.fixture.js';
import { updateCanvas } from './update-canvas.js';

let t: SlackTrial;
let web = '';
beforeAll(async () => {
  t = await startSlackTrial({ users: [{ name: 'ann' }], channels: [{ name: 'web-relaunch' }] }, 'ann');
  web = await t.channel('web-relaunch');
}, 30_000);
afterAll(() => t?.stop());
afterEach(() => t.stage.calm());

describe('canvases', () => {
  interface Canvas {
    canvas: string;
    link: string;
    markdown: string;
    next_offset: number | null;
    total: number;
    channel: string | null;
  }
  const make = (markdown: string) => t.content<Canvas>(createCanvas, { title: 'Launch', markdown, channel: '#web-relaunch' });
  const read = async (canvas: string) => (await t.content<Canvas>(readCanvas, { canvas })).markdown;

  it('are made in a channel, and read by id or link', async () => {
    const made = await make('## Open\n\n- book the load test');
    expect(made).toMatchObject({ channel: '#web-relaunch', link: `https://emulate.slack.com/docs/T000000001/${made.canvas}` });
    expect(t.stage.calls.find(({ method }) => method === 'canvases.create')!.args).toMatchObject({ channel_id: web, title: 'Launch' });
    expect(await read(made.link)).toBe('# Launch\n\n## Open\n\n- book the load test');
  });

  it('are read in pages that end between characters', async () => {
    const { canvas } = await make('\u{1F680}'.repeat(600));
    const one = await t.content<Canvas>(readCanvas, { canvas, limit: 500 });
    const two = await t.content<Canvas>(readCanvas, { canvas, limit: 500, offset: one.next_offset });
    expect(one.markdown + two.markdown).toBe(`# Launch\n\n${'\u{1F680}'.repeat(600)}`);
    expect([one.total, two.next_offset]).toEqual([610, null]);
  });

  it.each<[string, object, string]>([
    ['added at the end', { change: 'insert_at_end', markdown: 'last' }, 'first thing\n\nsecond thing\n\nlast'],
    [
      'added after one section',
      { change: 'insert_after', section: 'first', markdown: 'between' },
      'first thing\n\nbetween\n\nsecond thing',
    ],
    ['put in place of one section', { change: 'replace', section: 'second', markdown: 'changed' }, 'first thing\n\nchanged'],
    ['taken out', { change: 'delete', section: 'first thing' }, 'second thing'],
  ])('have something %s, and the rest is left alone', async (_what, args, text) => {
    const { canvas } = await make('first thing\n\nsecond thing');
    await t.content(updateCanvas, { canvas, ...args });
    expect(await read(canvas)).toBe(`# Launch\n\n${text}`);
  });

  it.each<[string, object, string]>([
    ['words that two sections contain', { change: 'replace', section: 'thing', markdown: 'x' }, 'slack-several-sections'],
    ['words that no section contains', { change: 'replace', section: 'nowhere', markdown: 'x' }, 'slack-no-section'],
    ['a replacement that names no section', { change: 'replace', markdown: 'x' }, 'slack-which-section'],
    ['an addition of nothing', { change: 'insert_at_end' }, 'slack-no-content'],
  ])('are not changed for %s', async (_what, args, slug) => {
    const { canvas } = await make('first thing\n\nsecond thing');
    expect((await t.run(updateCanvas, { canvas, ...args })).error).toMatchObject({ kind: 'refusal', slug });
    expect(t.stage.methods()).not.toContain('canvases.edit');
  });

  it('are refused with what to give in place of something else', async () => {
    expect((await t.run(readCanvas, { canvas: 'https://evil.example/docs/T1234567/F1234567' })).error).toMatchObject({
      slug: 'slack-bad-canvas',
    });
    expect((await t.run(readCanvas, { canvas: 'F9999999' })).error).toMatchObject({ slug: 'slack-canvas-not-found' });
  });
});
