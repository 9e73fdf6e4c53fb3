import type { Brief } from '../compose/brief.js';
import { composeBrief } from '../compose/compose-brief.js';
import { readMaterial } from '../compose/material.js';
import { briefAsMarkdown } from '../compose/write-brief.js';
import type { Reply } from '../protocol/reply.js';
import { titleOf, type CatalogLine } from '../read/catalog.js';
import { failureOf } from '../read/results.js';
import type { AnsweredCall } from '../read/turn.js';
import { introduce, listed, whatWasDone } from './introduce.js';
import type { Sight } from './sight.js';

const mostNamed = 6;

/** No skill: a short summary of pasted text, or what can be done here. */
export function plainAnswer(sight: Sight): Reply {
  const { catalog, pasted, attachments } = sight;
  if (pasted !== '') {
    const brief = composeBrief([readMaterial({ name: '', mime: '', text: pasted })], {
      title: '',
      request: sight.request,
      headings: ['Key points'],
    });
    return {
      say: `${briefAsMarkdown(brief, false).trim()}${introduce(sight, 'I picked these sentences by position and frequent words.')}`,
    };
  }
  if (catalog.length > 0 && sight.toolbox.loader) {
    const named = catalog.slice(0, mostNamed).map((line) => titleOf(line.slug));
    const more = catalog.length > named.length ? ` and ${catalog.length - named.length} more` : '';
    const answer = [
      'No skill in the catalog fits your message, so nothing was loaded or run.',
      `Skills here: ${named.join(', ')}${more}. Name one, or use its words in your request.`,
    ].join(' ');
    return { say: `${answer}${introduce(sight, 'I compared your words with the catalog.')}` };
  }
  const answer = [
    'No skills or tools are open in this conversation, so I cannot look anything up or make a file.',
    ...(attachments.length > 0 ? [`I cannot open ${listed(attachments.map((file) => file.name || 'your file'))} either.`] : []),
    'Paste a text, and I will pick out its key points.',
  ].join(' ');
  return { say: `${answer}${introduce(sight, 'I read your message and ran nothing.')}` };
}

export function askWhich(sight: Sight, lines: [CatalogLine, CatalogLine]): Reply {
  const [first, second] = lines.map((line) => titleOf(line.slug));
  const question = `Two skills fit equally well: shall I use “${first}” or “${second}”?`;
  return { say: `${question}${introduce(sight, 'I compared your words with the catalog.')}` };
}

/** Was this text a question of `askWhich`? */
export function isQuestionBack(text: string): boolean {
  return /shall I use “[^”]+” or “[^”]+”\?/.test(text);
}

/** The skill's instructions did not arrive. */
export function noLoad(sight: Sight, slug: string, reason: string | undefined): Reply {
  const why = reason ? `: ${reason}` : ', and no instructions came with the answer';
  const next = 'Ask whoever runs this Skillgate to allow it, or ask for something another skill does.';
  const answer = `The skill “${titleOf(slug)}” fits, but it could not be loaded${why.replace(/[.\s]+$/, '')}. ${next}`;
  return { say: `${answer}${introduce(sight, whatWasDone(sight, slug))}` };
}

/** A tool refused or failed: no second try with the same arguments, no result invented in its place. */
export function stopped(sight: Sight, slug: string, call: AnsweredCall, brief: Brief | undefined): Reply {
  const reason = (call.result === '' ? 'it gave no result' : (failureOf(call) ?? 'it failed')).replace(/[.\s]+$/, '');
  const rest = brief
    ? `\n\nNo file was made. What I had composed until then:\n\n${briefAsMarkdown(brief, true).trim()}`
    : ' Nothing was made. Check the file and send the request again.';
  return { say: `\`${call.name}\` did not do its part: ${reason}.${rest}${introduce(sight, whatWasDone(sight, slug))}` };
}
