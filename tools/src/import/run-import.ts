import { resolve } from 'node:path';
import { reachApi } from '../reach-api.js';
import type { ImportArguments } from './import-arguments.js';
import { readTree } from './read-tree.js';

interface Finding {
  level: string;
  slug: string;
  file: string;
  line: number;
  column: number;
  rule: string;
  message: string;
  advice: string;
}

interface Answer {
  published?: { slug: string; version: string; before: string | null }[];
  slug?: string;
  version?: string;
  status?: string | number;
  findings?: Finding[];
  findingsInAll?: number;
  unused?: string[];
  detail?: string;
}

/** @returns the exit code: 1 when the house took nothing over @throws when it cannot be reached or PATH cannot be read */
export async function runImport({ path, lenient, account, url, json }: ImportArguments, state: string, calledFrom: string, print: (line: string) => void): Promise<number> {
  const { type, body } = readTree(resolve(calledFrom, path));
  const house = reachApi(process.env, state, url);
  const response = await fetch(`${house.url}/api/v1/${account ? 'account-skills' : 'skills'}?mode=${lenient ? 'lenient' : 'strict'}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${house.key}`, 'content-type': type },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  const answer = (await response.json()) as Answer;
  for (const line of json ? [JSON.stringify(answer)] : linesOf(answer, response.ok)) print(line);
  return response.ok ? 0 : 1;
}

function linesOf(answer: Answer, taken: boolean): string[] {
  const { findings = [], findingsInAll = findings.length, published = [], unused = [] } = answer;
  return [
    ...findings.map(({ level, slug, file, line, column, rule, message, advice }) => `${[slug, file].filter(Boolean).join('/') || 'package'}:${line}:${column}: ${level} ${rule}: ${message} ${advice}`),
    ...(findingsInAll > findings.length ? [`and ${findingsInAll - findings.length} more`] : []),
    ...unused.map((path) => `${path} belongs to no skill and was left out`),
    ...published.map(({ slug, version, before }) => `published ${slug}@${version}${before && before !== version ? `, before it ${before}` : ''}`),
    ...(taken && answer.slug ? [`saved ${answer.slug}@${answer.version} as a ${answer.status}`] : []),
    // The detail quotes the findings, which stand above already.
    ...(taken ? [] : [findings.length > 0 ? 'Nothing was taken over. Correct what is said above and import it again.' : (answer.detail ?? 'refused')]),
  ];
}
