import { detectLanguage } from './detect-language.js';
import { fields, type SearchedSkill } from './searched-skill.js';
import { splitDescription } from './split-description.js';
import { learn, type Vocabulary } from './vocabulary.js';
import { wordsOf } from './words-of.js';

/** The terms of a skill's fields, in the order of `fields`; with repetitions, without stop words. */
export function readSkill(skill: SearchedSkill, vocabulary: Vocabulary): number[][] {
  const { what, when } = splitDescription(skill.description);
  const texts: Record<(typeof fields)[number], string> = {
    name: skill.slug,
    what,
    when: skill.whenToUse ?? when,
    body: skill.body ?? '',
  };
  // An English description may stand above a German body: each is told by itself, and a name is too short to be.
  const described = detectLanguage(`${what} ${texts.when}`);
  const written = texts.body === '' ? described : detectLanguage(texts.body);
  return fields.map((field) => {
    const language = field === 'body' ? written : described;
    const terms: number[] = [];
    for (const word of wordsOf(texts[field])) {
      const term = learn(vocabulary, language, word);
      if (term >= 0) terms.push(term);
    }
    return terms;
  });
}
