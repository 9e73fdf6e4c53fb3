import type { Route } from '@skillgate/contracts/route';
import { route } from '@skillgate/contracts/route';
import { type OtlpReceiver, startOtlpReceiver } from '@skillgate/backing/otlp-receiver';
import type { HouseKeys } from '@skillgate/standalone/greet-house';
import { type LocalHouse, type LocalHouseOptions, startLocalHouse } from '@skillgate/standalone/local-house';
import type { Script } from '@skillgate/testing/script';
import { type ScriptedModel, startScriptedModel } from '@skillgate/testing/scripted-model';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DevHouse, startDev } from './dev-process.fixture.js';

export const modelId = 'scripted-model';

export interface TestHouse<H = LocalHouse> {
  readonly house: H;
  readonly model: ScriptedModel;
  /** Plays a script for one turn, and fails when it was not played as written. */
  turn(script: Script, body: object, key?: string): Promise<Answer>;
  post(path: string, body: unknown, key?: string): Promise<Response>;
  get(path: string, key?: string): Promise<Response>;
  route(turn: string, key?: string): Promise<Route>;
  upload(name: string, text: string): Promise<string>;
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  turn: string;
  chat: string;
  traceId: string;
  /** The lines of the answer as they came. */
  lines: string[];
  chunks: Chunk[];
  text: string;
}

export interface Chunk {
  choices: { delta: { role?: string; content?: string }; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null;
  error?: { code: string; message: string };
  skillgate?: { progress?: { stage: string; message: string; tool?: string; fraction?: number }; artifact?: { id: string; name: string } };
}

/** The whole house over real NATS and PostgreSQL, in this process, where a test may take it apart; only the model is a stand-in. */
export async function startTestHouse(env: NodeJS.ProcessEnv = {}, guests?: LocalHouseOptions['guests'], tell?: LocalHouseOptions['tell']): Promise<TestHouse<LocalHouse> & { stateDir: string }> {
  const model = await startScriptedModel();
  const stateDir = mkdtempSync(join(tmpdir(), 'skillgate-house-'));
  chmodSync(stateDir, 0o711); // the user postgres must pass
  const house = await startLocalHouse({ stateDir, durable: false, modelUrl: model.url, ownTraces: true, guests, tell, env: { SKILLGATE_MODEL: modelId, ...env } });
  const remove = () => rmSync(stateDir, { recursive: true, force: true });
  const test = around(house, model, async () => {
    await house.stop();
    remove();
  });
  return { ...test, stateDir };
}

/** `bin/dev` as a user runs it, in processes of its own, with its traces coming here. */
export async function startDevHouse(flags: string[] = []): Promise<TestHouse<DevHouse> & { receiver: OtlpReceiver }> {
  const model = await startScriptedModel();
  const receiver = await startOtlpReceiver();
  const house = await startDev(['--model-url', model.url, ...flags], { SKILLGATE_MODEL: modelId, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  const test = around(house, model, async () => {
    await house.stop();
    await receiver.close();
  });
  return { ...test, receiver };
}

function around<H extends { url: string; keys: HouseKeys }>(house: H, model: ScriptedModel, end: () => Promise<void>): TestHouse<H> {
  const headers = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const get = (path: string, key = house.keys.pro) => fetch(house.url + path, { headers: headers(key) });
  const post = (path: string, body: unknown, key = house.keys.pro) => fetch(house.url + path, { method: 'POST', headers: headers(key), body: JSON.stringify(body) });
  return {
    house,
    model,
    get,
    post,
    async turn(script, body, key) {
      model.extend(script);
      const answer = await readAnswer(await post('/v1/chat/completions', { model: modelId, stream: true, ...body }, key));
      model.assertConsumed();
      return answer;
    },
    route: async (turn, key) => route.parse(await (await get(`/api/v1/turns/${turn}/route`, key)).json()),
    async upload(name, text) {
      const answer = await fetch(`${house.url}/api/v1/artifacts?name=${name}`, {
        method: 'POST',
        headers: { ...headers(house.keys.pro), 'content-type': 'text/markdown' },
        body: text,
      });
      return ((await answer.json()) as { id: string }).id;
    },
    async stop() {
      await end();
      await model.close();
    },
  };
}

export async function readAnswer(response: Response): Promise<Answer> {
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  const data = lines.filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]').map((line) => line.slice(6));
  const chunks = response.headers.get('content-type')?.startsWith('text/event-stream') ? data.map((line) => JSON.parse(line) as Chunk) : [];
  return {
    status: response.status,
    turn: response.headers.get('x-skillgate-turn') ?? '',
    chat: response.headers.get('x-skillgate-chat') ?? '',
    traceId: response.headers.get('x-trace-id') ?? '',
    lines,
    chunks,
    text: chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? '').join(''),
  };
}
