import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallArguments } from './call-arguments.js';
import { askApi, type Asked } from './ask-api.js';
import { reachApi } from './reach-api.js';

interface Answer {
  readonly executor: string;
  readonly effect: string;
  readonly ms: number;
  readonly grant: string;
  readonly outcome: { readonly result?: { content: unknown; artifacts: readonly { id: string; name: string; bytes: number }[] }; readonly error?: { kind: string; slug: string; message: string } };
}

/** @returns the exit code: 1 when the house refused or the tool gave no result @throws when the house cannot be reached */
export async function runCall({ tool, args, account, url, json }: CallArguments, state: string, print: (line: string) => void): Promise<number> {
  const house = reachApi(process.env, state, url);
  const id = account === 'pro' || account === 'free' ? await demoAccount(house.url, account, url, state) : account;
  const { ok, body } = await askApi<Answer>(house, 'POST', `/api/v1/accounts/${id}/tools/${tool}/call`, { arguments: args });
  if (json) print(JSON.stringify(body));
  else for (const line of linesOf(tool, ok, body)) print(line);
  return ok && body.outcome.result ? 0 : 1;
}

function linesOf(tool: string, ok: boolean, body: Asked<Answer>['body']): string[] {
  if (!ok) return [body.detail ?? 'the house refused without a word'];
  const { executor, effect, ms, grant, outcome } = body;
  const told = `${tool} of ${executor} (${effect}) ${outcome.error ? `${outcome.error.kind} ${outcome.error.slug}` : 'answered'} after ${ms} ms under grant ${grant}`;
  if (outcome.error) return [told, outcome.error.message];
  const { content, artifacts = [] } = outcome.result!;
  return [told, typeof content === 'string' ? content : JSON.stringify(content, null, 2), ...artifacts.map(({ id, name, bytes }) => `file ${name}, ${bytes} bytes: GET /api/v1/artifacts/${id}`)];
}

/** Whose key bin/dev made on its first start. */
async function demoAccount(address: string, tier: 'pro' | 'free', given: string | undefined, state: string): Promise<string> {
  if (given !== undefined || process.env.SKILLGATE_URL) throw new Error(`"${tier}" is an account of bin/dev alone; give the account's id`);
  const { accountKeys } = JSON.parse(readFileSync(join(state, 'secrets.json'), 'utf8')) as { accountKeys: Record<string, string> };
  const { ok, body } = await askApi<{ account: string }>({ url: address, key: accountKeys[tier] ?? '' }, 'GET', '/api/v1/me');
  if (!ok) throw new Error(`the demonstration account "${tier}" does not answer: ${body.detail}`);
  return body.account;
}
