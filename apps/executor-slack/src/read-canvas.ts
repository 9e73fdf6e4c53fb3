import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { openSlack } from './open-slack.js';
import { canvasLink, readCanvasId } from './slack-link.js';

export const canvasInput = z.string().min(1).max(300).describe('Id of the canvas, such as "F0123456789", or its link.');

export const readCanvas = defineTool({
  name: 'slack_read_canvas',
  profile: 'slack',
  effect: 'read',
  description:
    'Reads a Slack canvas, a shared page of a channel, as Markdown, in pages: read on with next_offset until it is null. Read it ' +
    'before you change it. Not for messages (use slack_read_channel) or files.',
  input: z.strictObject({
    canvas: canvasInput,
    offset: z.number().int().min(0).default(0).describe('"next_offset" of the answer before, to read on.'),
    limit: z.number().int().min(500).max(50_000).default(20_000).describe('Most characters of one answer.'),
  }),
  output: z.object({
    canvas: z.string(),
    link: z.string(),
    markdown: z.string(),
    total: z.number().int(),
    next_offset: z.number().int().nullable(),
  }),
  timeoutMs: 60_000,
  async execute({ canvas, offset, limit }, context) {
    const id = readCanvasId(canvas);
    const slack = await openSlack(context);
    const { content = '' } = await slack.read<{ content?: string }>('canvases.getContent', { canvas_id: id, content_type: 'markdown' });
    const { url, team } = await slack.self();
    const characters = [...content]; // code points, so that no page ends within an emoji
    const end = Math.min(offset + limit, characters.length);
    return {
      canvas: id,
      link: canvasLink(url, team, id),
      markdown: characters.slice(offset, end).join(''),
      total: characters.length,
      next_offset: end < characters.length ? end : null,
    };
  },
});
