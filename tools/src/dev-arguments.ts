import { executorName } from '@skillgate/contracts/words';
import { root } from '@skillgate/standalone/run-from-source';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export const devUsage = `bin/dev runs Skillgate on this machine until Ctrl-C.

  --port N         address of the HTTP API; 0 for a free one (8080, or a free one when that is taken)
  --model-url URL  an OpenAI-compatible endpoint; without one SKILLGATE_MODEL_BASE_URL, else the offline stand-in.
                   SKILLGATE_MODEL names the model, SKILLGATE_MODEL_API_KEY holds its key
  --split          every service in a process of its own
  --executor NAME  lets an executor of that name in that you start yourself, and approves what it announces; may stand several times
  --state DIR      where data and logs are kept (.skillgate/dev)
  --json           one JSON line when all is ready: {"url","keys","otlp","pid","guests"}`;

/** What the words behind `bin/dev` want. @throws Error that says which word is wrong */
export function devArguments(words: string[]) {
  const { values } = parseArgs({
    args: words,
    options: {
      port: { type: 'string' },
      'model-url': { type: 'string' },
      split: { type: 'boolean', default: false },
      executor: { type: 'string', multiple: true, default: [] },
      state: { type: 'string', default: join(root, '.skillgate/dev') },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  // Digits alone: `Number` would take '' for 0, and 1e3 for a port.
  if (values.port !== undefined && !(/^\d{1,5}$/.test(values.port) && Number(values.port) < 65_536)) {
    throw new Error(`--port ${values.port} is no port number`);
  }
  if (values['model-url'] !== undefined && !URL.canParse(values['model-url'])) throw new Error(`--model-url ${values['model-url']} is no URL`);
  const misnamed = values.executor.find((name) => !executorName.safeParse(name).success);
  if (misnamed !== undefined) throw new Error(`--executor ${misnamed} is no name: lower-case letters, digits and hyphens, at most 32`);
  return { ...values, port: values.port === undefined ? undefined : Number(values.port) };
}
