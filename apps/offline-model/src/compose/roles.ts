/** What a part of a document is for, told from the words of its heading. */
export type Role =
  | 'purpose'
  | 'points'
  | 'decisions'
  | 'actions'
  | 'questions'
  | 'risks'
  | 'numbers'
  | 'people'
  | 'details'
  | 'source'
  | 'slips'
  | 'judgement';

/** First match wins: "open questions and risks" asks questions, "key decisions" decides. */
const headings: [Role, RegExp][] = [
  // Not ours to give: left out, and said so.
  ['judgement', /\b(?:verdict|must fix|assessment|rating|grade|strengths|weaknesses)\b/i],
  ['slips', /\b(?:should fix|could fix|slips|typos|form)\b/i],
  ['source', /\b(?:sources?|provenance|references?|basis)\b/i],
  ['decisions', /\b(?:decisions?|decided|agreed|agreements?|resolutions?)\b/i],
  ['actions', /\b(?:actions?|next steps?|to-?dos?|follow[- ]?ups?|tasks?|recommend\w*|recommended changes)\b/i],
  ['questions', /\b(?:questions?|unknowns?|unclear|unresolved|unanswered)\b/i],
  ['risks', /\b(?:risks?|issues?|concerns?|problems?|blockers?|caveats?|limits|limitations?)\b/i],
  ['people', /\b(?:attend\w*|participants?|present|people)\b/i],
  ['numbers', /\b(?:numbers?|figures|data|metrics?)\b/i],
  ['points', /\b(?:key|points?|findings?|highlights?|results?|takeaways?)\b/i],
  ['purpose', /\b(?:purpose|summary|overview|bottom line|background|context|abstract|introduction|situation|about)\b/i],
  ['details', /\b(?:details?|by section|sections?|discussion|discussed|topics?|body)\b/i],
];

export function roleOf(heading: string): Role | undefined {
  return headings.find(([, pattern]) => pattern.test(heading))?.[0];
}

const askingWords = 'who whose what when where which why how is are was were do does did can could should shall will would has have may';
/** "by Friday", "until 3 May", "before the end of the week": an action with a date. */
const dated =
  '(?:by|until|before)\\s+(?:the end of|end of|next|this|tomorrow|mon|tues|wednes|thurs|fri|satur|sun|' +
  'jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|\\d)';

/** Signs within a sentence. Narrow on purpose: a missed one is told to the user, a false one would be an invention. */
export const signs: Partial<Record<Role, RegExp>> = {
  decisions: any(
    '\\b(?:we|they|team|board|it was|was|were|has been|have been)\\s+(?:have\\s+|has\\s+)?(?:decided|agreed|approved|resolved)\\b',
    '\\bdecisions?\\s*:',
    "\\b(?:we will|we'll|let's) go with\\b",
    '^\\s*(?:decided|agreed)\\b',
  ),
  actions: any(
    '\\bTO-?DO\\b',
    '\\b(?:action(?: item)?|next step|follow[- ]?up|owner|due)\\s*:',
    `\\b(?:will|shall|is to|are to|has to|have to|needs? to)\\b.*\\b${dated}`,
    // A speaker who takes something on: "Tom: I'll book it."
    "^\\p{L}[\\p{L}.'’ -]{0,30}: I(?:'ll| will)\\b",
  ),
  questions: any(
    // A real question begins as one, or is short; "the record answers: was it seen?" asks nobody.
    `^(?:[^:]{1,40}: )?(?:${askingWords.replaceAll(' ', '|')})\\b.*[?？]["'”’)]*$`,
    `^(?:\\S+\\s+){0,14}\\S+[?？]["'”’)]*$`,
    '\\b(?:open question|to be decided|tbd|still unclear|not (?:yet )?(?:decided|known|clear))\\b',
  ),
  risks: any(
    '\\b(?:risks?|blocked|blockers?|concerns?|worr(?:y|ied)|delay(?:ed|s)?|overdue|cannot|lacks?|missing|unresolved|shortage|outage)\\b',
  ),
  numbers: /\d/,
};

function any(...patterns: string[]): RegExp {
  return new RegExp(patterns.join('|'), 'iu');
}
