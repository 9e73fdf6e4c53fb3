import { isRefusal } from '@skillgate/contracts/refusal';
import type { Route } from '@skillgate/contracts/route';
import { offlineModelId } from '@skillgate/offline-model/start';
import { makeSigner, newSigningKey } from '@skillgate/service-kit/signing';
import type { LocalHouse } from '@skillgate/standalone/local-house';
import { root } from '@skillgate/standalone/run-from-source';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient } from './api-client.js';
import { type Asked, askHouse } from './ask-house.js';
import { collapseTrace } from './collapse-trace.js';
import { traceLines } from './print-demo.js';
import { settledTrace } from './settled-trace.js';

type Say = (line?: string) => void;

const request = 'Turn this document into a one-page briefing as a Word file.';

/** Five things that a gate does, on the running house and by its public API; each is what came back, not what should. */
export async function tour(house: LocalHouse, say: Say): Promise<void> {
  await freeAccount(house, say);
  await withheld(house, say);
  const { asked, route } = await load(house, say);
  await forgedGrant(house, asked, route, say);
  await sameTurnAsTrace(house, asked, say);
}

async function freeAccount(house: LocalHouse, say: Say): Promise<void> {
  say('\n1. A free account has no tools');
  const asked = await ask(house, house.keys.free, []);
  const { tokens, visible, steps } = await new ApiClient(house.url, house.keys.free).route(asked.turn);
  say(`   skills shown: ${visible.length}, catalog tokens: ${tokens.catalog}, tool tokens: ${tokens.tools}, tool calls: ${steps.filter(({ kind }) => kind === 'tool').length}`);
  say(`   answer: ${firstSentence(asked.answer)}`);
}

async function withheld(house: LocalHouse, say: Say): Promise<void> {
  say('\n2. A skill is withheld, and says why');
  const { skills } = await new ApiClient(house.url, house.keys.pro).skills();
  for (const { slug, unmet } of skills.filter(({ usable }) => !usable)) say(`   ${slug}: ${unmet.map(({ message }) => message).join(' ')}`);
}

async function load(house: LocalHouse, say: Say): Promise<{ asked: Asked; route: Route }> {
  say('\n3. A load opens its tools, and costs what it says');
  const api = new ApiClient(house.url, house.keys.pro);
  const file = await api.upload('house.md', 'text/markdown', readFileSync(join(root, 'docs/house.md')));
  const asked = await ask(house, house.keys.pro, [file.id]);
  const route = await api.route(asked.turn);
  for (const step of route.steps) {
    if (step.kind === 'load') say(`   ${step.skill}@${step.version} opened ${step.profiles.join(', ')}: ${step.opened.join(', ')}`);
  }
  const { base, catalog, loaded, monolith } = route.tokens;
  say(`   before the load ${base + catalog} tokens of prompt, the load ${loaded}; without gates the first call would carry ${monolith}`);
  return { asked, route };
}

/** Seconds that the forged grant claims to live. */
const forgedSeconds = 50;

async function forgedGrant(house: LocalHouse, asked: Asked, route: Route, say: Say): Promise<void> {
  say('\n4. A forged grant is refused where it matters: at the executor');
  const forger = makeSigner(await newSigningKey(), 'registry');
  const nobody = '00000000-0000-4000-8000-000000000000';
  const now = Math.floor(Date.now() / 1000);
  const claims = { typ: 'grant', aud: 'docs', account: nobody, user: nobody, chat: route.chat, turn: asked.turn, tools: { docs_write_text: 'forged@1.0.0' }, policyEpoch: 0 };
  const grant = await forger.sign({ ...claims, exp: now + forgedSeconds });
  const wire = await house.connectAs('orchestrator'); // the one service that may publish on tool subjects at all
  const options = { grant, callId: 'call_forged', turnId: asked.turn, deadlineMs: 5_000 };
  const call = wire.callTool('docs', 'docs_write_text', { arguments: { file_name: 'forged.txt', content: 'x' } }, options);
  const refusal = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isRefusal(refusal)) throw new Error('the executor took a forged grant', { cause: refusal });
  say(`   ${refusal.slug}: ${refusal.message}`);
}

async function sameTurnAsTrace(house: LocalHouse, asked: Asked, say: Say): Promise<void> {
  const spans = house.receiver ? await settledTrace(house.receiver, asked.traceId) : [];
  const steps = collapseTrace(spans, ({ name }) => /^(POST|invoke_agent|chat |execute_tool)/.test(name));
  say(`\n5. The turn of 3 is one trace: ${spans.length} spans, ${new Set(spans.map(({ service }) => service)).size} services; its steps`);
  for (const line of traceLines(steps)) say(`   ${line}`);
}

const ask = (house: LocalHouse, key: string, artifacts: string[]): Promise<Asked> =>
  askHouse({ url: house.url, key, model: process.env.SKILLGATE_MODEL ?? offlineModelId, request, artifacts, onProgress: () => undefined, onText: () => undefined });

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replace(/\s+/g, ' ') ?? text;
