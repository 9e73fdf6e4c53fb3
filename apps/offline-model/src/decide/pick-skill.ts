import type { CatalogLine } from '../read/catalog.js';
import { splitRequest } from '../read/request.js';
import { slugAskedFor } from '../read/loaded-skills.js';
import { attachmentsIn, withoutAttachments } from '../read/attachments.js';
import { countWords } from '../text/words.js';
import { chooseSkill, type Choice } from './choose-skill.js';
import type { Sight } from './sight.js';
import { isQuestionBack } from './answers.js';
import { kindsIn } from './tool-traits.js';

/** An answer to "which one?" is short; a longer message is a request of its own. */
const shortAnswer = 8;

/** The skill for this turn: the one asked for already, else by the user's words over the catalog and what is loaded. */
export function pickSkill(sight: Sight): Choice {
  const { loader } = sight.toolbox;
  const lines = [...sight.catalog, ...unlisted(sight)];
  const begun = loader && sight.calls.find((call) => call.name === loader.name);
  if (begun) {
    const slug = slugAskedFor(begun, loader);
    if (slug) return { kind: 'one', line: lines.find((line) => line.slug === slug) ?? { slug, description: '' } };
  }
  const choice = chooseSkill(words(sight), lines);
  if (choice.kind !== 'none') return choice;
  return again(sight, lines) ?? choice;
}

/** Loaded skills that no line lists, such as those that are in every turn: their opening words stand for a description. */
function unlisted({ catalog, loaded }: Sight): CatalogLine[] {
  return [...loaded]
    .filter(([slug]) => !catalog.some((line) => line.slug === slug))
    .map(([slug, instructions]) => ({ slug, description: instructions.replace(/\s+/g, ' ').slice(0, 300) }));
}

/** The request; behind a short answer to a question of ours, also the request that the question was about. */
function words({ request, turn }: Sight): string {
  const answersUs = isQuestionBack(turn.saidBefore) && countWords(request) <= shortAnswer;
  const earlier = turn.askedBefore[0];
  if (!answersUs || earlier === undefined) return request;
  return `${request} ${splitRequest(withoutAttachments(earlier)).request}`;
}

/** A new file, or the wish for another format, without a fitting word is more work for the skill that was loaded last. */
function again(sight: Sight, lines: CatalogLine[]): Choice | undefined {
  const last = [...sight.loaded.keys()].at(-1);
  const line = lines.find((candidate) => candidate.slug === last);
  const more = attachmentsIn(sight.turn.asked).length > 0 || kindsIn(sight.request).size > 0;
  return line && more ? { kind: 'one', line } : undefined;
}
