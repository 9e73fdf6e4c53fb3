import { decodeText } from './decode-text.js';
import { didYouMean } from './near-names.js';
import { error, type Problem } from './problem.js';
import { readYamlMap, type YamlField } from './read-yaml.js';

/** Sentences that judge whether a description routes well; they are never shown to a model. */
export interface Routing {
  /** Users' words that the skill is for. */
  readonly positives: readonly string[];
  /** Words that have nothing to do with it. */
  readonly negatives: readonly string[];
  /** Close neighbours: words that another skill, or none, is for. */
  readonly near: readonly string[];
}

const lists = ['positives', 'negatives', 'near'] as const;
const maxSentence = 500; // characters; a user's request, not a document

/** Parses the `routing.yaml` beside a SKILL.md: lists of sentences, of which `positives` must not be empty. */
export function parseRouting(bytes: Uint8Array): { ok: true; routing: Routing } | { ok: false; problems: Problem[] } {
  const decoded = decodeText(bytes);
  if ('problem' in decoded) return { ok: false, problems: [decoded.problem] };
  const yaml = readYamlMap(decoded.text, 1);
  if ('problems' in yaml) return { ok: false, problems: yaml.problems };
  const problems: Problem[] = [];
  const routing: Record<(typeof lists)[number], string[]> = { positives: [], negatives: [], near: [] };
  const owners = new Map<string, string>();
  for (const field of yaml.fields) {
    const list = lists.find((name) => name === field.key);
    if (list) routing[list] = sentencesOf(field, owners, problems);
    else
      problems.push(
        error(
          'key-unknown',
          `"${field.key}" is no list of routing.yaml${didYouMean(field.key, lists) || `; known are ${lists.join(', ')}.`}`,
          field.keyAt,
        ),
      );
  }
  if (routing.positives.length === 0)
    problems.push(
      error('routing-empty', 'No sentence under positives; write what users say when they need this skill.', { line: 1, column: 1 }),
    );
  return problems.length > 0 ? { ok: false, problems } : { ok: true, routing };
}

function sentencesOf({ key, value }: YamlField, owners: Map<string, string>, problems: Problem[]): string[] {
  if (value.kind !== 'list') {
    problems.push(error('type', `"${key}" must be a list; begin each sentence on its own line with "- ".`, value.at));
    return [];
  }
  return value.items.flatMap((item) => {
    const sentence = item.kind === 'string' ? item.text.trim().replace(/\s+/g, ' ') : '';
    const owner = owners.get(sentence.toLowerCase());
    if (item.kind !== 'string') problems.push(error('type', `Each entry of "${key}" must be a sentence; put it into quotes.`, item.at));
    else if (sentence === '' || sentence.length > maxSentence)
      problems.push(error('routing-sentence', `An entry of "${key}" must have 1 to ${maxSentence} characters.`, item.at));
    else if (owner) problems.push(error('routing-twice', `This sentence stands under "${owner}" already; keep one.`, item.at));
    else {
      owners.set(sentence.toLowerCase(), key);
      return [sentence];
    }
    return [];
  });
}
