import { titleOf } from '../read/catalog.js';
import type { Sight } from './sight.js';

const who =
  "I am Skillgate's offline stand-in, not a language model: I match words, follow a skill's numbered steps " +
  'and quote the material; I do not understand or judge it.';
const how = 'For real answers, start Skillgate with SKILLGATE_MODEL_BASE_URL and SKILLGATE_MODEL_API_KEY.';

/** Said in the first answer of a conversation: what speaks here and what it did. Later answers need no second introduction. */
export function introduce(sight: Sight, did: string): string {
  return sight.turn.spoken ? '' : `\n\n_${who} ${did} ${how}_`;
}

/** What happened in this turn, from its calls. */
export function whatWasDone({ toolbox, calls, loaded }: Sight, slug: string): string {
  const asked = calls.some((call) => call.name === toolbox.loader?.name);
  const worked = [...new Set(calls.filter((call) => call.name !== toolbox.loader?.name).map((call) => `\`${call.name}\``))];
  return `I ${listed([
    `chose the skill “${titleOf(slug)}” because its catalog line shares the most words with your message`,
    ...(asked ? [loaded.has(slug) ? 'loaded it' : 'asked for it'] : []),
    ...(worked.length > 0 ? [`called ${listed(worked)}`] : []),
  ])}.`;
}

/** "a, b and c". */
export function listed(names: string[], last = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}
