/** Slack's way of writing `&`, `<` and `>`. Source: docs.slack.dev, "Formatting message text". */
const entities: readonly [written: string, meant: string][] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
]; // the ampersand last

/** `<…>` in a text of Slack's: a mention, a channel, a command, or a link, each with an optional label. */
const marks = /<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g;

/**
 * A message as people see it: names in place of ids, links as "label (address)", and plain characters.
 *
 * @param nameOf what to call a person by id; undefined leaves the id
 */
export function readableText(text: string, nameOf: (user: string) => string | undefined): string {
  const seen = text.replace(marks, (_all, sign: string, what: string, label?: string) => {
    if (sign === '@') return `@${nameOf(what) ?? (label || what)}`;
    if (sign === '#') return `#${label || what}`;
    if (sign === '!') return label ? label : `@${what.split('^')[0]}`; // <!here>, <!subteam^S1|@team>, <!date^…|fallback>
    return !label || what === label || what === `mailto:${label}` || what.replace(/^https?:\/\//, '') === label
      ? what.replace(/^mailto:/, '')
      : `${label} (${what})`;
  });
  return entities.reduce((all, [written, meant]) => all.replaceAll(written, meant), seen);
}

/** Ids of the people whom a text mentions. */
export const mentionedIn = (text: string): string[] => [...text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, id = '']) => id);
