import { refuse } from '@skillgate/contracts/refusal';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { markdownInput } from './create-canvas.js';
import { type Slack, openSlack } from './open-slack.js';
import { canvasInput } from './read-canvas.js';
import { canvasLink, readCanvasId } from './slack-link.js';

/** What needs to know a section, and what needs content. The whole canvas is never replaced: others write there, too. */
const withSection = new Set(['insert_after', 'insert_before', 'replace', 'delete']);
const change = z.enum(['insert_at_end', 'insert_at_start', 'insert_after', 'insert_before', 'replace', 'delete']);

export const updateCanvas = defineTool({
  name: 'slack_update_canvas',
  profile: 'slack',
  effect: 'external',
  description:
    'Makes one change to a Slack canvas and leaves the rest of it alone: adds at its end or start, adds beside one section, replaces ' +
    'or deletes one section. A section is a heading, paragraph or list item, named by words that only it contains. Read the canvas ' +
    'first. Not for a new canvas (use slack_create_canvas).',
  input: z.strictObject({
    canvas: canvasInput,
    change: change.describe('What to do. All but insert_at_end and insert_at_start need "section"; all but delete need "markdown".'),
    section: z.string().min(3).max(300).optional().describe('Words that stand in that one section and nowhere else in the canvas.'),
    markdown: markdownInput.optional(),
  }),
  output: z.object({ canvas: z.string(), link: z.string(), changed: z.string() }),
  timeoutMs: 90_000,
  async execute({ canvas, change: operation, section, markdown }, context) {
    const id = readCanvasId(canvas);
    if (withSection.has(operation) && !section)
      throw refuse('slack-which-section', `"${operation}" needs "section": words that stand in that one section.`);
    if (operation !== 'delete' && !markdown) throw refuse('slack-no-content', `"${operation}" needs "markdown": what is to stand there.`);
    const slack = await openSlack(context, 'changing');
    const { url, team } = await slack.self();
    const target = withSection.has(operation) ? { section_id: await sectionOf(slack, id, section ?? '') } : {};
    const content = operation === 'delete' ? {} : { document_content: { type: 'markdown', markdown } };
    await slack.change('canvases.edit', { canvas_id: id, changes: [{ operation, ...target, ...content }] }); // Slack takes one at a time
    return { canvas: id, link: canvasLink(url, team, id), changed: operation };
  },
});

/** @throws refusals `slack-no-section`, `slack-several-sections` */
async function sectionOf(slack: Slack, canvas: string, words: string): Promise<string> {
  const { sections = [] } = await slack.read<{ sections?: { id?: string }[] }>('canvases.sections.lookup', {
    canvas_id: canvas,
    criteria: { contains_text: words },
  });
  const [only] = sections;
  if (sections.length === 1 && only?.id) return only.id;
  if (sections.length === 0)
    throw refuse('slack-no-section', 'No section of the canvas contains those words. Read it again and take words as they stand there.');
  throw refuse(
    'slack-several-sections',
    `${sections.length} sections of the canvas contain those words. Take more words, so that one is left.`,
  );
}
