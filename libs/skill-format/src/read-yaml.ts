import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml';
import { error, type Place, type Problem } from './problem.js';
import { refuseDeepNesting } from './yaml-depth.js';
import { explainYamlError } from './yaml-error.js';

/** YAML as this room wants it: only maps, lists and scalars, typed as written, each with its place in the file. */
export type YamlValue =
  | { readonly kind: 'string'; readonly text: string; readonly comment?: string; readonly at: Place }
  /** `source` is what stands in the file: `1.10`, not 1.1. */
  | { readonly kind: 'number' | 'boolean' | 'null'; readonly source: string; readonly at: Place }
  | { readonly kind: 'list'; readonly items: readonly YamlValue[]; readonly at: Place }
  | { readonly kind: 'map'; readonly fields: readonly YamlField[]; readonly at: Place };

export interface YamlField {
  readonly key: string;
  readonly keyAt: Place;
  readonly value: YamlValue;
}

/**
 * Reads one YAML 1.2 document that must be a map. `firstLine` is the file's line on which `text` begins.
 * Anchors, aliases and tags are refused: a header needs none, and an alias can blow a few bytes up to gigabytes.
 */
export function readYamlMap(text: string, firstLine: number): { fields: readonly YamlField[] } | { problems: Problem[] } {
  const lines = new LineCounter();
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: line + firstLine - 1, column: col };
  };
  const deep = refuseDeepNesting(text, firstLine);
  if (deep) return { problems: [deep] };
  const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: true, prettyErrors: false, lineCounter: lines });
  if (document.errors.length > 0) {
    const [first, ...rest] = document.errors;
    // One broken line breaks what follows; only doubled keys are errors of their own.
    const telling = [first!, ...rest.filter(({ code }) => code === 'DUPLICATE_KEY')];
    return { problems: telling.map((failure) => explainYamlError(failure, text, placeOf)) };
  }
  const problems: Problem[] = [];
  const root = document.contents as Node | null;
  if (!isMap(root))
    return { problems: [error('yaml-shape', 'Here fields are expected, each as "key: value" on its own line.', placeOf(0))] };
  const value = convert(root, placeOf, problems);
  return problems.length > 0 || value.kind !== 'map' ? { problems } : { fields: value.fields };
}

function convert(node: Node | null, placeOf: (offset: number) => Place, problems: Problem[]): YamlValue {
  const at = placeOf(node?.range?.[0] ?? 0);
  if (isAlias(node)) problems.push(error('yaml-alias', `The alias *${node.source} is not allowed; write the value out.`, at));
  else if (node?.anchor) problems.push(error('yaml-anchor', `The anchor &${node.anchor} is not allowed; write the value without it.`, at));
  else if (node?.tag) problems.push(error('yaml-tag', 'A YAML tag (!…) is not allowed; put a text into quotes instead.', at));
  if (isMap(node))
    return { kind: 'map', fields: node.items.map((pair) => convertPair(pair as Pair<Node, Node | null>, placeOf, problems)), at };
  if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => convert(item as Node, placeOf, problems)), at };
  if (!isScalar(node) || node.value === null || node.value === undefined)
    return { kind: 'null', source: isScalar(node) ? (node.source ?? '') : '', at };
  if (typeof node.value === 'string') {
    const comment = node.type === 'PLAIN' && node.comment ? { comment: node.comment } : {};
    return { kind: 'string', text: node.value, ...comment, at };
  }
  return { kind: typeof node.value === 'boolean' ? 'boolean' : 'number', source: node.source ?? String(node.value), at };
}

function convertPair({ key, value }: Pair<Node, Node | null>, placeOf: (offset: number) => Place, problems: Problem[]): YamlField {
  const read = convert(key, placeOf, problems);
  if (read.kind !== 'string') problems.push(error('yaml-key', 'A key must be plain text; put it into quotes.', read.at));
  return { key: read.kind === 'string' ? read.text : '', keyAt: read.at, value: convert(value, placeOf, problems) };
}
