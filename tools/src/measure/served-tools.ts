import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import { normaliseSchema } from '@skillgate/prompt/schema-dialect';
import { executors } from '@skillgate/standalone/house-services';

/** The tools of every executor in this tree as a model is shown them: what has no executor costs no tokens and counts nowhere. */
export function servedTools(): OpenedTool[] {
  return executors.flatMap(({ executor }) =>
    [...executor.tools.values()].map(({ manifest }) => {
      const verdict = normaliseSchema(manifest.inputSchema);
      if (!('schema' in verdict)) throw new Error(`${executor.name}: the schema of ${manifest.name} cannot be shown: ${verdict.problem}`);
      const { name, description, profile, effect, timeoutMs } = manifest;
      return { name, description, inputSchema: verdict.schema, profile, effect, executor: executor.name, timeoutMs, skill: '' };
    }),
  );
}
