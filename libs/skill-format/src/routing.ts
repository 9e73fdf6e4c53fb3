import { skillSlug } from '@skillgate/contracts/words';
import { decodeText } from './decode-text.js';
import { didYouMean } from './near-names.js';
import { error, type Place, type Problem } from './problem.js';
import { readYamlMap, type YamlField, type YamlValue } from './read-yaml.js';

/** Sentences that judge whether a description routes well; they are never shown to a model. */
export interface Routing {
  /** Users' words that the skill is for. */
  readonly positives: readonly string[];
  /** Words that have nothing to do with it. */
  readonly negatives: readonly string[];
  /** Close neighbours: words that another skill, or none, is for. */
  readonly near: readonly NearMiss[];
}

export interface NearMiss {
  readonly request: string;
  /** The slug of the skill that it is for; null when it is for none; absent when nobody said. */
  readonly loads?: string | null;
  /** Of routing.yaml, from 1. */
  readonly line: number;
}

const lists = ['positives', 'negatives', 'near'] as const;
const nearKeys = ['request', 'loads'] as const;
const noSkill = 'none';
const maxSentence = 500; // characters; a user's request, not a document

/**
 * Parses the `routing.yaml` beside a SKILL.md: lists of sentences, of which `positives` must not be empty. An entry of `near`
 * may say what it is for instead: `{ request: <sentence>, loads: <slug> | none }`.
 */
export function parseRouting(bytes: Uint8Array): { ok: true; routing: Routing } | { ok: false; problems: Problem[] } {
  const decoded = decodeText(bytes);
  if ('problem' in decoded) return { ok: false, problems: [decoded.problem] };
  const yaml = readYamlMap(decoded.text, 1);
  if ('problems' in yaml) return { ok: false, problems: yaml.problems };
  const reader: Reader = { problems: [], owners: new Map() };
  const routing = { positives: [] as string[], negatives: [] as string[], near: [] as NearMiss[] };
  for (const field of yaml.fields) {
    const list = lists.find((name) => name === field.key);
    if (list === 'near') routing.near = itemsOf(field, reader).flatMap((item) => nearMissOf(item, reader));
    else if (list) routing[list] = itemsOf(field, reader).flatMap((item) => sentenceOf(list, item, reader) ?? []);
    else reader.problems.push(unknownKey(field, 'list of routing.yaml', lists));
  }
  const { problems } = reader;
  if (routing.positives.length === 0)
    problems.push(
      error('routing-empty', 'No sentence under positives; write what users say when they need this skill.', { line: 1, column: 1 }),
    );
  return problems.length > 0 ? { ok: false, problems } : { ok: true, routing };
}

interface Reader {
  readonly problems: Problem[];
  /** Sentence in lower case to the list in which it was first met. */
  readonly owners: Map<string, string>;
}

const unknownKey = ({ key, keyAt }: YamlField, what: string, known: readonly string[]): Problem =>
  error('key-unknown', `"${key}" is no ${what}${didYouMean(key, known) || `; known are ${known.join(', ')}.`}`, keyAt);

function itemsOf({ key, value }: YamlField, { problems }: Reader): readonly YamlValue[] {
  if (value.kind === 'list') return value.items;
  problems.push(error('type', `"${key}" must be a list; begin each sentence on its own line with "- ".`, value.at));
  return [];
}

function sentenceOf(list: string, item: YamlValue, { problems, owners }: Reader): string | undefined {
  const sentence = item.kind === 'string' ? item.text.trim().replace(/\s+/g, ' ') : '';
  const owner = owners.get(sentence.toLowerCase());
  if (item.kind !== 'string') problems.push(error('type', `Each entry of "${list}" must be a sentence; put it into quotes.`, item.at));
  else if (sentence === '' || sentence.length > maxSentence)
    problems.push(error('routing-sentence', `An entry of "${list}" must have 1 to ${maxSentence} characters.`, item.at));
  else if (owner) problems.push(error('routing-twice', `This sentence stands under "${owner}" already; keep one.`, item.at));
  else {
    owners.set(sentence.toLowerCase(), list);
    return sentence;
  }
  return undefined;
}

function nearMissOf(item: YamlValue, reader: Reader): NearMiss[] {
  const { line } = item.at;
  if (item.kind !== 'map') {
    const request = sentenceOf('near', item, reader);
    return request === undefined ? [] : [{ request, line }];
  }
  for (const field of item.fields)
    if (!(nearKeys as readonly string[]).includes(field.key)) reader.problems.push(unknownKey(field, 'key of a near miss', nearKeys));
  const [asked, loads] = nearKeys.map((key) => item.fields.find((field) => field.key === key));
  if (!asked) {
    reader.problems.push(error('routing-near', 'A near miss needs a request; write { request: "…", loads: <slug> or none }.', item.at));
    return [];
  }
  const request = sentenceOf('near', asked.value, reader);
  if (request === undefined) return [];
  if (!loads) return [{ request, line }];
  const slug = slugOf(loads.value, loads.value.at, reader);
  return slug === undefined ? [] : [{ request, loads: slug, line }];
}

function slugOf(value: YamlValue, at: Place, { problems }: Reader): string | null | undefined {
  if (value.kind === 'string' && value.text === noSkill) return null;
  if (value.kind === 'string' && skillSlug.safeParse(value.text).success) return value.text;
  problems.push(error('routing-near', `"loads" must be the slug of the skill that the request is for, or ${noSkill}.`, at));
  return undefined;
}
