import { buildIndex, type SkillIndex } from '@skillgate/search/build-index';
import { languages, withoutAccents } from '@skillgate/search/languages';
import { search } from '@skillgate/search/search';
import { fields, tuning, type SearchedSkill } from '@skillgate/search/searched-skill';
import { splitDescription } from '@skillgate/search/split-description';
import MiniSearch from 'minisearch';
import { readFileSync } from 'node:fs';
import { generateCatalog } from './generate-skills.js';
import { quantile, rounded } from './quantile.js';

const limit = 10;
const sizes = [55, 1_000, 10_000];
const queryCount = 400;

interface SizeReport {
  skills: number;
  buildMs: number;
  lexicalP50Ms: number;
  lexicalP99Ms: number;
  peer: string;
  peerP50Ms: number;
}

/** Ours against MiniSearch on the same texts and queries, each query by both before the next one. */
export async function benchRetrieval(seconds: number, tell: (line: string) => void): Promise<{ sizes: SizeReport[] }> {
  const peer = `minisearch@${pinned('minisearch')}`;
  const reports: SizeReport[] = [];
  for (const size of sizes) {
    const { skills, queries } = generateCatalog(size, queryCount);
    const [index, buildMs] = timed(() => buildIndex(skills));
    const [other, peerBuildMs] = timed(() => buildPeer(skills));
    const { ours, theirs } = race(index, other, queries, seconds * 1000);
    const report = {
      ...{ skills: size, buildMs: rounded(buildMs), lexicalP50Ms: rounded(quantile(ours, 0.5)), lexicalP99Ms: rounded(quantile(ours, 0.99)) },
      ...{ peer, peerP50Ms: rounded(quantile(theirs, 0.5)) },
    };
    tell(
      `${size} skills: built in ${report.buildMs} ms, p50 ${report.lexicalP50Ms} ms, p99 ${report.lexicalP99Ms} ms; ` +
        `${peer} built in ${rounded(peerBuildMs)} ms, p50 ${report.peerP50Ms} ms (${ours.length} queries each)`,
    );
    reports.push(report);
  }
  return { sizes: reports };
}

/** In milliseconds, one entry a query. A first round of a few queries warms both and is not counted. */
function race(index: SkillIndex, other: MiniSearch, queries: readonly string[], budgetMs: number): { ours: number[]; theirs: number[] } {
  const [ours, theirs]: [number[], number[]] = [[], []];
  const both = (query: string) => [timed(() => search(index, query, limit)), timed(() => other.search(query).slice(0, limit))] as const;
  for (const query of queries.slice(0, 40)) both(query);
  const started = performance.now();
  // All queries once, then again while there is time.
  for (let at = 0; at < queries.length || performance.now() - started < budgetMs; at++) {
    const [[, our], [, their]] = both(queries[at % queries.length]!);
    ours.push(our);
    theirs.push(their);
  }
  return { ours, theirs };
}

/** The same fields, weights, stop words and stems, so that only the engines differ. */
function buildPeer(skills: readonly SearchedSkill[]): MiniSearch {
  const { stem, stopWords } = languages.en;
  const known = new Map<string, string | null>();
  const processTerm = (word: string): string | null => {
    const lower = word.toLowerCase();
    let term = known.get(lower);
    if (term === undefined) known.set(lower, (term = stopWords.has(lower) ? null : withoutAccents(stem(lower))));
    return term;
  };
  const boost = Object.fromEntries(fields.map((field) => [field, tuning[field].weight]));
  const peer = new MiniSearch({ idField: 'slug', fields: [...fields], processTerm, searchOptions: { boost } });
  peer.addAll(skills.map(({ slug, description, body }) => ({ slug, name: slug, ...splitDescription(description), body })));
  return peer;
}

/** This folder's package.json pins exact versions. */
function pinned(name: string): string {
  const own = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { devDependencies: Record<string, string> };
  return own.devDependencies[name]!;
}

function timed<T>(work: () => T): [result: T, ms: number] {
  const started = performance.now();
  const result = work();
  return [result, performance.now() - started];
}
