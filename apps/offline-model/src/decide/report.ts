import type { Brief } from '../compose/brief.js';
import { briefAsMarkdown } from '../compose/write-brief.js';
import type { OfferedTool } from '../protocol/chat-request.js';
import type { Reply } from '../protocol/reply.js';
import { titleOf } from '../read/catalog.js';
import { filesIn, notesIn, textOf, withheldIn } from '../read/results.js';
import { parseJson } from '../read/json-in-text.js';
import { introduce, listed, whatWasDone } from './introduce.js';
import { unreadable } from './next-call.js';
import type { Sight } from './sight.js';
import { traitOf } from './tool-traits.js';

export interface Outcome {
  slug: string;
  ordered: OfferedTool[];
  brief: Brief | undefined;
  /** Files of which only a part was read. */
  partial: string[];
}

/** Characters of a look-up's answer that are shown. */
const mostShown = 400;

/** The last word of a turn: the file that was made, or the text, or what is missing. */
export function report(sight: Sight, outcome: Outcome): Reply {
  const body = madeFile(sight, outcome) ?? inTheChat(sight, outcome) ?? lookedUp(sight, outcome) ?? needsMaterial(sight, outcome);
  return { say: `${body}${introduce(sight, whatWasDone(sight, outcome.slug))}` };
}

function madeFile(sight: Sight, outcome: Outcome): string | undefined {
  const { brief } = outcome;
  const writers = new Set(outcome.ordered.filter((tool) => traitOf(tool) === 'writer').map((tool) => tool.name));
  const written = sight.calls.filter((call) => writers.has(call.name));
  if (!brief || written.length === 0) return undefined;
  const files = written.flatMap((call) => {
    const named = filesIn(call.result);
    return named.length > 0 ? named : filesIn(JSON.stringify(parseJson(call.arguments) ?? {}));
  });
  const parts = listed(brief.parts.map((part) => part.heading));
  return [
    `**${listed([...new Set(files)]) || 'The file'}** is ready: “${brief.title}”, about ${brief.words} words under ${parts}.`,
    brief.lead === '' ? '' : `Its main statement: ${quoted(brief.lead)}`,
    ...remarks(sight, outcome),
    ...written.flatMap((call) => notesIn(call.result)),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** No tool for files was open: the page itself is the answer. */
function inTheChat(sight: Sight, outcome: Outcome): string | undefined {
  if (!outcome.brief) return undefined;
  const why = [
    'No tool that makes a file was open here, so the text stands in this answer.',
    ...withheld(sight),
    ...remarks(sight, outcome),
  ];
  return [why.join(' '), briefAsMarkdown(outcome.brief, true).trim()].join('\n\n');
}

function lookedUp(sight: Sight, { ordered }: Outcome): string | undefined {
  const names = new Set(ordered.map((tool) => tool.name));
  const shown = sight.calls
    .filter((call) => names.has(call.name))
    .map((call) => `\`${call.name}\` answered: ${shorten(textOf(call.result))}`);
  return shown.length > 0 ? shown.join('\n\n') : undefined;
}

function needsMaterial(sight: Sight, { slug, ordered }: Outcome): string {
  if (ordered.length === 0 && (sight.attachments.length > 0 || withheld(sight).length > 0)) {
    return [
      `“${titleOf(slug)}” is loaded, but none of the tools that it works with is open here.`,
      ...withheld(sight),
      'Paste the text, and I will work on that.',
    ].join(' ');
  }
  const closed = unreadable({ ordered, attachments: sight.attachments }).map((file) => file.name || 'your file');
  if (closed.length > 0)
    return `No tool that “${titleOf(slug)}” opened can read ${listed(closed)}. Send it as text or Markdown, or paste its text.`;
  return [
    `“${titleOf(slug)}” is loaded, but there is no material to work on. Attach a text, Markdown or CSV file, or paste the text;`,
    'I only quote and count, so I cannot write from a topic alone.',
  ].join(' ');
}

function withheld({ calls, toolbox }: Sight): string[] {
  return [...new Set(calls.filter((call) => call.name === toolbox.loader?.name).flatMap((call) => withheldIn(call.result)))];
}

function remarks(sight: Sight, { ordered, brief, partial }: Outcome): string[] {
  const closed = unreadable({ ordered, attachments: sight.attachments }).map((file) => file.name || 'a file');
  return [
    brief && brief.leftOut.length > 0 ? `Left out, since the material holds nothing for it: ${listed(brief.leftOut)}.` : '',
    brief && brief.unjudged.length > 0 ? `Left out, since it takes judgement: ${listed(brief.unjudged)}.` : '',
    partial.length > 0 ? `Only a part of ${listed(partial)} was read; it is longer than I could take.` : '',
    closed.length > 0 && ordered.length > 0 ? `Not read, for lack of a tool that opens it: ${listed(closed)}.` : '',
  ].filter((remark) => remark !== '');
}

function quoted(text: string): string {
  return `“${text.replaceAll('“', '‘').replaceAll('”', '’')}”`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > mostShown ? `${line.slice(0, mostShown).replace(/\s+\S*$/, '')} …` : line;
}
