import type { listManifests } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { escapeUnseen } from '@skillgate/contracts/plain-text';
import { askApi } from './ask-api.js';
import { reachApi } from './reach-api.js';
import type { ToolsListArguments } from './tools-list-arguments.js';

/** @returns the exit code: 1 when the house refused @throws when it cannot be reached */
export async function runToolsList({ executor, url, json }: ToolsListArguments, state: string, print: (line: string) => void): Promise<number> {
  const { ok, body } = await askApi<CallOutput<typeof listManifests>>(reachApi(process.env, state, url), 'GET', `/api/v1/manifests${executor === undefined ? '' : `?executor=${encodeURIComponent(executor)}`}`);
  if (!ok) {
    print(body.detail ?? 'the house refused without a word');
    return 1;
  }
  const shown = body.executors.filter((one) => executor === undefined || one.executor === executor);
  if (json) print(JSON.stringify({ executors: shown }));
  else for (const line of linesOf(shown)) print(escapeUnseen(line));
  return 0;
}

function linesOf(executors: CallOutput<typeof listManifests>['executors']): string[] {
  if (executors.length === 0) return ['nobody announces a tool'];
  return executors.flatMap(({ executor, version, instances, tools, leftOut }) => [
    `${executor}@${version}, ${instances === 1 ? '1 instance' : `${instances} instances`}`,
    ...tools.map(({ name, profile, effect, state, reason }) => `  ${name}  ${profile}, ${effect}: ${state}${reason ? ` (${reason})` : ''}`),
    ...(leftOut ? [`  ${leftOut} more of it had no room in the answer; --executor ${executor} has more`] : []),
  ]);
}
