import { buildIndex } from '@skillgate/search/build-index';
import { overlaps } from '@skillgate/search/overlaps';
import { didYouMean } from '../near-names.js';
import type { Found, LintVocabulary } from './finding.js';
import { fieldPlace, type OpenedSkill } from './open-package.js';

/** The calendars of two vendors, which do the same in two places, are alike by 0.27; a skill told in other words by 0.5 and more. */
const tooAlike = 0.4;

/** Rules between the skills of a house, as findings by folder. */
export function houseRules(all: readonly OpenedSkill[], { skills: beside = [] }: LintVocabulary): Map<string, Found[]> {
  const found = new Map<string, Found[]>(all.map(({ folder }) => [folder, []]));
  const visible = all.filter(({ skill }) => skill && !skill.hidden);
  const others = beside.filter(({ slug }) => !found.has(slug));
  const described = others.flatMap(({ slug, description }) => (description === undefined ? [] : [{ slug, description }]));
  const index = buildIndex([...visible.map(({ folder, skill }) => ({ slug: folder, description: skill!.description })), ...described]);
  for (const { a, b, similarity, shared } of overlaps(index, tooAlike)) {
    const percent = Math.round(similarity * 100);
    for (const [folder, other] of [[a, b], [b, a]] as const) {
      if (!found.has(folder)) continue;
      const message = `The description resembles that of "${other}" by ${percent}% (${shared.join(', ')}).`;
      found.get(folder)!.push({ rule: 'overlap', message, at: fieldPlace(all.find((each) => each.folder === folder)!, 'description') });
    }
  }
  const hidden = new Set(all.filter(({ skill }) => skill?.hidden).map(({ folder }) => folder));
  const known = [...all.map(({ folder }) => folder), ...others.map(({ slug }) => slug)].filter((slug) => !hidden.has(slug));
  for (const { folder, routing } of all) {
    for (const { loads, line } of routing?.near ?? []) {
      if (loads === undefined || loads === null || (known.includes(loads) && loads !== folder)) continue;
      const near = loads === folder ? '; a sentence for this skill stands under positives.' : didYouMean(loads, known) || '.';
      const what = loads === folder ? 'is this skill itself' : hidden.has(loads) ? 'is hidden, so no request loads it' : 'does not exist here';
      found.get(folder)!.push({ rule: 'near-miss', message: `"${loads}" ${what}${near}`, file: 'routing.yaml', at: { line, column: 1 } });
    }
  }
  return found;
}
