import { expect, it } from '@jest/globals';
import { stepsOf, toolsInOrder } from './steps.js';
import { headingsWanted } from './template.js';

const text = `Do not start with \`last\`.

1. Think.
2. Call \`first(artifact)\` or
   \`second\`.

   Then \`third\`.
3. End with \`last\`, see \`unknown\`.

After: \`fourth\`.

\`\`\`
1. \`fifth\`
\`\`\``;

it('takes tools from the numbered steps, in their order and once', () => {
  expect(toolsInOrder(text, ['last', 'third', 'second', 'first', 'fourth', 'fifth'])).toEqual(['first', 'second', 'third', 'last']);
});

it('falls back to the whole text when the steps name none', () => {
  expect(toolsInOrder('1. Think.\n\nUse `b`, then `a`.', ['a', 'b'])).toEqual(['b', 'a']);
});

it('keeps wrapped lines with their step', () =>
  expect(stepsOf('1. One\n  goes on\n2. Two\n\n# Head\n')).toEqual(['1. One goes on', '2. Two']));

it('reads the layout from the first example with headings', () => {
  expect(headingsWanted('```\nno headings\n```\n\n```markdown\n# T\n## One\nx\n## Two <b>\n```\n')).toEqual(['One', 'Two b']);
  expect(headingsWanted('## Not fenced\n## Either')).toEqual([]);
});
