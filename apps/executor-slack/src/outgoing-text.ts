import { refuse } from '@skillgate/contracts/refusal';

const label = '(?:\\|[^<>]*)?';
/** What may stand as it is: a person, a channel, a group, everybody, a link. Everything else in `<…>` is text that somebody wrote. */
const allowed = [
  '@[UW][A-Z0-9]+',
  `#[CG][A-Z0-9]+${label}`,
  `!subteam\\^S[A-Z0-9]+${label}`,
  '!(?:here|channel|everyone)',
  '(?:https?://|mailto:)[^<>|\\s]+(?:\\|[^<>]+)?',
];
const control = new RegExp(`<(?:${allowed.join('|')})>`, 'g');
const wakesAll = /<!(?:here|channel|everyone|subteam\^S[A-Z0-9]+[^<>]*)>/;

/**
 * A text as Slack is to show it: `&`, `<` and `>` stay what they are, and marks work.
 *
 * @param mayWakeAll whether the user asked for a mention of everybody
 * @throws refusals `slack-empty-text`, `slack-wakes-everyone`
 */
export function outgoingText(text: string, mayWakeAll: boolean): string {
  if (text.trim() === '') throw refuse('slack-empty-text', 'The message has no text. Write it into "text" and call again.');
  if (!mayWakeAll && wakesAll.test(text)) {
    const message =
      'The text mentions everybody or a whole group. Take the mention out, or set "mention_everyone" when the user asked for exactly that.';
    throw refuse('slack-wakes-everyone', message);
  }
  let [written, at] = ['', 0];
  for (const mark of text.matchAll(control)) {
    written += escaped(text.slice(at, mark.index)) + mark[0];
    at = mark.index + mark[0].length;
  }
  return written + escaped(text.slice(at));
}

/** An entity that is there already stays one. */
const escaped = (text: string): string =>
  text
    .replaceAll(/&(?!(?:amp|lt|gt);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/(?<!^>{0,2})>/gm, '&gt;');
