import { executorService } from '@skillgate/executor-kit/serve-executor';
import { bootService } from '@skillgate/service-kit/boot';
import { startStandalone } from '@skillgate/standalone/start-standalone';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStagedHouse, type StagedHouse } from '../bench/staged-house.js';
import { coldTurn, longChat, type PlayedTurn } from './cache-chats.js';
import { cacheExecutor, cacheProfiles, cacheSkills } from './cache-stage.js';
import { type ModelStep, type RecordingModel, startRecordingModel } from './recording-model.js';
import { measureReusable } from './reusable.js';

export const cachePlans = ['expand', 'dispatch'] as const;

export interface PlanCache {
  /** Share (0 to 1) of input tokens that a prefix cache could reuse: in one turn of three calls whose first finds an empty cache. */
  readonly cold: number;
  /** The same over ten turns with three activations. */
  readonly long: number;
  /** Bytes of requests of both chats that the next request did not send again unchanged. */
  readonly changedBytes: number;
}

export interface CacheEconomy {
  readonly plans: Record<(typeof cachePlans)[number], PlanCache>;
}

const modelOf = (plan: string): string => `measured-${plan}`;

/** Models that differ in their plan alone; instructions come as with the vendors that cache. */
const models = `models:\n${cachePlans
  .map((plan) => `  - { id: ${modelOf(plan)}, contextTokens: 400000, maxOutputTokens: 16384, usesTools: true, parallelCalls: true, instructions: system-message, plan: ${plan}, cacheKey: true, prices: null }\n`)
  .join('')}`;

/** Plays both chats in a real house for each plan and looks at the bytes that its model was sent. */
export async function measureCache(): Promise<CacheEconomy> {
  const folder = mkdtempSync(join(tmpdir(), 'skillgate-measure-'));
  const model = await startRecordingModel();
  writeFileSync(join(folder, 'models.yaml'), models);
  const env = { SKILLGATE_MODELS_FILE: join(folder, 'models.yaml'), SKILLGATE_MODEL: modelOf('expand') };
  const stage = { executor: cacheExecutor, skills: cacheSkills, profiles: cacheProfiles, modelUrl: model.url, env, durable: false };
  let house: StagedHouse | undefined;
  try {
    house = await startStagedHouse(stage, oneProcess);
    const client = { url: house.url, key: await house.newKey() };
    const plans: Partial<Record<(typeof cachePlans)[number], PlanCache>> = {};
    for (const plan of cachePlans) {
      const cold = measureReusable(went(await play(client, model, plan, coldTurn)));
      const long = measureReusable(went(await play(client, model, plan, longChat)));
      plans[plan] = { cold: share(cold.share), long: share(long.share), changedBytes: cold.changedBytes + long.changedBytes };
    }
    return { plans: plans as CacheEconomy['plans'] };
  } finally {
    await house?.stop();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function oneProcess(env: NodeJS.ProcessEnv, logFile: string): Promise<() => Promise<void>> {
  const logTo = createWriteStream(logFile);
  const house = await startStandalone(env, logTo);
  const executor = await bootService(executorService(cacheExecutor), env, { logTo });
  return async () => {
    await executor.stop(2_000);
    await house.stop();
  };
}

/** One chat, turn by turn as a user makes it. Resolves with the bodies that the model was sent. */
function play({ url, key }: { url: string; key: string }, model: RecordingModel, plan: string, turns: readonly PlayedTurn[]): Promise<string[]> {
  const script = turns.flatMap(({ steps }) => steps.map((step) => inPlan(plan, step)));
  return model.during(script, async () => {
    let chat: string | null = null;
    for (const { says } of turns) {
      const body = { model: modelOf(plan), messages: [{ role: 'user', content: says }], ...(chat && { skillgate: { chat_id: chat } }) };
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) });
      const said = await response.text();
      if (!response.ok) throw new Error(`a turn of the measure answered ${response.status}: ${said}`);
      chat = response.headers.get('x-skillgate-chat');
    }
  });
}

/** A chat whose calls were refused would measure nothing worth knowing. @throws Error with what the model was told */
function went(bodies: string[]): string[] {
  const refused = /\{\\"(?:refused|error)\\":[^}]*\}/.exec(bodies.at(-1) ?? '');
  if (refused) throw new Error(`a call of the measure did not go as it should: ${refused[0]}`);
  return bodies;
}

/** In `dispatch` opened tools are called through `call_tool`. */
const inPlan = (plan: string, step: ModelStep): ModelStep =>
  plan === 'dispatch' && 'call' in step && step.call !== 'load_skill' ? { call: 'call_tool', arguments: { name: step.call, arguments: step.arguments } } : step;

const share = (value: number): number => Math.round(value * 1_000) / 1_000;
