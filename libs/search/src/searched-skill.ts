/** What of a skill is searched. */
export interface SearchedSkill {
  readonly slug: string;
  readonly description: string;
  /** Occasions, in users' words. Absent: the sentences of the description that say when. */
  readonly whenToUse?: string;
  /** Instructions, Markdown. */
  readonly body?: string;
}

/** The parts of a skill that are told apart, each with its weight; what a description says a skill is *not* for is in none. */
export const fields = ['name', 'what', 'when', 'body'] as const;

/**
 * `weight`: what one word there counts beside one in the body. `b`: how much a long text dilutes its words (BM25's b): a name
 * is not worse for being long, a body is.
 */
export const tuning: Readonly<Record<(typeof fields)[number], { readonly weight: number; readonly b: number }>> = {
  name: { weight: 4, b: 0.2 },
  what: { weight: 3, b: 0.5 },
  when: { weight: 3, b: 0.5 },
  body: { weight: 1, b: 0.75 },
};
