const advice = { it: '; go on without it.', them: '; go on without them.' };

/** Why something is not there, for a model: it reads what to do beside the fact. */
export const goOnWithout = (fact: string, what: keyof typeof advice = 'it'): string => `${fact}${advice[what]}`;

/** The same for a user, who is asked for a decision and goes on without nothing. */
export const factOf = (message: string): string =>
  Object.values(advice).reduce((text, words) => (text.endsWith(words) ? `${text.slice(0, -words.length)}.` : text), message);
