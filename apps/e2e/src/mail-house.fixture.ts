import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Approval } from '@skillgate/contracts/calls/orchestrator';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { defineExecutor } from '@skillgate/executor-kit/define-executor';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { serveExecutor } from '@skillgate/executor-kit/serve-executor';
import { HouseOperator } from '@skillgate/standalone/greet-house';
import { houseEdges } from '@skillgate/standalone/house-services';
import { houseSecrets } from '@skillgate/standalone/house-secrets';
import { type LocalHouse, startLocalHouse } from '@skillgate/standalone/local-house';
import type { Script } from '@skillgate/testing/script';
import { startScriptedModel } from '@skillgate/testing/scripted-model';
import { z } from 'zod';
import { modelId, readAnswer } from './test-house.fixture.js';

const shipped = new URL('../../registry/profiles.yaml', import.meta.url);
const password = 'pspecmail';

/** Ends when it holds; what a decision sets off takes a moment. */
export async function until<T>(read: () => Promise<T>, good: (value: T) => boolean, ms = 15_000): Promise<T> {
  for (const end = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const value = await read();
    if (good(value)) return value;
    if (Date.now() > end) throw new Error(`it did not come to hold in ${ms} ms: ${JSON.stringify(value)}`);
  }
}

/** The whole house with an executor that sends mail, in a profile whose tools with outside effects need their user's yes. */
export async function startMailHouse(env: NodeJS.ProcessEnv = {}) {
  const model = await startScriptedModel();
  const stateDir = mkdtempSync(join(tmpdir(), 'skillgate-mail-'));
  chmodSync(stateDir, 0o711); // the user postgres must pass
  writeFileSync(join(stateDir, 'secrets.json'), JSON.stringify({ nats: { mail: password } }));
  const profiles = readFileSync(shipped, 'utf8').replace('- name: docs\n', '- name: docs\n    policy: { external: confirm }\n');
  writeFileSync(join(stateDir, 'profiles.yaml'), profiles);

  /** What was sent, in order. */
  const sent: unknown[] = [];
  const input = z.strictObject({ to: z.string(), text: z.string() });
  const send = { name: 'mail_send', profile: 'docs', effect: 'external' as const, description: 'Sends a mail. For these tests.', timeoutMs: 10_000, input };
  const tools = [defineTool({ ...send, execute: async (mail) => ({ number: sent.push(mail) }) })];
  const mail = defineExecutor({ name: 'mail', version: '1.0.0', tools });

  let house: LocalHouse;
  let executor: Awaited<ReturnType<typeof serveExecutor>>;
  const start = async () => {
    const variables = { SKILLGATE_MODEL: modelId, SKILLGATE_PROFILES_FILE: join(stateDir, 'profiles.yaml'), ...env };
    const edges = [...houseEdges, executorEdges('mail')];
    house = await startLocalHouse({ stateDir, durable: false, modelUrl: model.url, ownTraces: true, edges, env: variables });
    executor = await serveExecutor(mail, { SKILLGATE_NATS_URL: house.nats.url, SKILLGATE_NATS_PASSWORD: password, SKILLGATE_LOG_LEVEL: 'silent' });
    await new HouseOperator(house.url, (await houseSecrets(stateDir)).secrets, () => undefined).approve(['mail']);
  };
  const end = async () => {
    await executor?.stop(2_000);
    await house?.stop();
  };
  await start();

  const request = async (method: string, path: string, key = house.keys.pro, body?: unknown) =>
    fetch(house.url + path, { method, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const read = async <T>(path: string, key?: string) => (await (await request('GET', path, key)).json()) as T;
  return {
    model,
    sent,
    request,
    read,
    get house() {
      return house;
    },
    /** Every service, broker and database goes, and comes back. */
    async restart() {
      await end();
      await start();
    },
    /** Plays a script up to where its turn waits. */
    async ask(script: Script, body: object = {}) {
      model.extend(script);
      const messages = [{ role: 'user', content: 'Tell Ann.' }];
      return readAnswer(await request('POST', '/v1/chat/completions', undefined, { model: modelId, stream: true, messages, ...body }));
    },
    pending: async (key?: string) => (await read<{ approvals: Approval[] }>('/api/v1/approvals', key)).approvals,
    decide: (id: string, how: 'approve' | 'deny' | 'edit', body: object = {}, key?: string) => request('POST', `/api/v1/approvals/${id}/${how}`, key, body),
    ended: (turn: string) => until(() => read<{ status: string; outcome: { answer: string; error: { slug: string } | null } | null }>(`/api/v1/turns/${turn}`), ({ outcome }) => outcome !== null),
    async stop() {
      await end();
      await model.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
