import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { findDestination } from './find-channel.js';
import { openSlack } from './open-slack.js';
import { placeInput } from './page-messages.js';
import { canvasLink } from './slack-link.js';

/** Characters that a canvas is made of at once. */
export const markdownInput = z
  .string()
  .min(1)
  .max(50_000)
  .describe('The content in Markdown: headings to the third level, lists, check lists, tables, links, quotes, code.');

export const createCanvas = defineTool({
  name: 'slack_create_canvas',
  profile: 'slack',
  effect: 'external',
  description:
    'Makes a new Slack canvas, a page that people look up again: agenda, check list, decisions. With "channel" it becomes a tab there ' +
    'and its members can see it; without, only the user can, until they share it. Not for messages (use slack_send_message), and not ' +
    'for changing a canvas (use slack_update_canvas).',
  input: z.strictObject({
    title: z.string().min(1).max(150).describe('Title of the canvas.'),
    markdown: markdownInput,
    channel: placeInput.optional(),
  }),
  output: z.object({ canvas: z.string(), link: z.string(), channel: z.string().nullable() }),
  timeoutMs: 90_000,
  async execute({ title, markdown, channel }, context) {
    const slack = await openSlack(context, 'changing');
    const { url, team } = await slack.self();
    const place = channel === undefined ? null : await findDestination(slack, channel);
    const content = { title, document_content: { type: 'markdown', markdown }, ...(place && { channel_id: place.id }) };
    const { canvas_id: canvas = '' } = await slack.change<{ canvas_id?: string }>('canvases.create', content);
    return { canvas, link: canvasLink(url, team, canvas), channel: place?.called ?? null };
  },
});
