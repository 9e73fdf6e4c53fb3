import { countTokens } from '@skillgate/prompt/count-tokens';
import { detectLanguage } from '@skillgate/search/detect-language';
import { languages } from '@skillgate/search/languages';
import { splitDescription } from '@skillgate/search/split-description';
import { wordsOf } from '@skillgate/search/words-of';
import type { Found } from './finding.js';
import { fieldPlace, type OpenedSkill } from './open-package.js';

/** Every turn of every account pays for the line. */
const lineTokens = 120;
/** Words that say something of their own: fewer than these fit half of the catalog. */
const tellingWords = 6;
const whatWords = 3;

// Words that are true of any skill. English, as descriptions of skills that travel are.
const empty = new Set(
  (
    'help helps helping assist assists assistance support supports handle handles handling manage manages work works working task tasks thing ' +
    'things stuff various general generic useful tool tools skill skills user users anything everything something request requests ' +
    'provide provides providing perform performs use used using uses make makes making do does etc different multiple many best ' +
    'content information data document documents file files text question questions need needs needed'
  ).split(' '),
);

// A quotation of a user, or a subordinate clause of time or condition, says when wherever it stands.
const occasion = /["“«„「『][^"”»“」』]{2,}["”»“」』]|(?<!\p{L})(?:when|whenever|wenn|sobald|quand|lorsque|cuando|quando|wanneer|когда|если)(?!\p{L})|时|場合|とき/iu;

/** What the line in the catalog tells the model that has to choose by it. A hidden skill is not chosen. */
export function describeRules(opened: OpenedSkill): Found[] {
  const { skill } = opened;
  if (!skill || skill.hidden) return [];
  const at = fieldPlace(opened, 'description');
  const found: Found[] = [];
  const say = (rule: string, message: string) => found.push({ rule, message, at });
  const { what, when } = splitDescription(skill.description);
  if (telling(what).size < whatWords) say('description-what', 'The description does not say what the skill does.');
  if (when === '' && !occasion.test(skill.description)) say('description-when', 'The description does not say when to use the skill.');
  const specific = [...telling(`${what} ${when}`)].filter((word) => !empty.has(word));
  if (specific.length < tellingWords) {
    const left = specific.length > 0 ? `it tells by ${specific.join(', ')} alone` : 'no word in it tells this skill from another';
    say('description-generic', `The description is too general: ${left}.`);
  }
  const tokens = countTokens(skill.description);
  if (tokens > lineTokens) say('description-budget', `The description takes ${tokens} tokens in every turn; ${lineTokens} are enough.`);
  return found;
}

function telling(text: string): Set<string> {
  const { stopWords } = languages[detectLanguage(text)];
  return new Set([...wordsOf(text)].filter((word) => !stopWords.has(word)));
}
