import { orphans } from '@skillgate/backing/trace-tree';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import { offlineModelId } from '@skillgate/offline-model/start';
import type { LocalHouse } from '@skillgate/standalone/local-house';
import { root } from '@skillgate/standalone/run-from-source';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ApiClient } from './api-client.js';
import { askHouse } from './ask-house.js';
import type { DemoArguments } from './demo-arguments.js';
import { ledgerLines, routeLines, traceLines } from './print-demo.js';
import { settledTrace } from './settled-trace.js';

/** One request through the public API, watched from outside: steps, route, file, tokens, trace. */
export async function showTurn(house: LocalHouse, { file, mime, request, json }: DemoArguments, say: (line?: string) => void): Promise<void> {
  const api = new ApiClient(house.url, house.keys.pro);
  say(`\nrequest  ${request}\nfile     ${file}\n`);
  const material = await api.upload(basename(file), mime, readFileSync(file));
  const asked = await askHouse({
    url: house.url,
    key: house.keys.pro,
    model: process.env.SKILLGATE_MODEL ?? offlineModelId,
    request,
    artifacts: [material.id],
    onProgress: ({ message }) => say(`  · ${message}`),
    onText: () => undefined, // shown whole below, so that progress and text do not run into each other
  });
  say(`\n${asked.answer}`);
  const route = await api.route(asked.turn);
  const artifacts = await Promise.all(asked.artifacts.map((artifact) => keep(api, artifact)));
  const spans = house.receiver ? await settledTrace(house.receiver, asked.traceId) : [];
  const lost = orphans(spans);
  const services = [...new Set(spans.map((span) => span.service))].sort();
  say(`\nroute\n${routeLines(route).join('\n')}`);
  say(`\nartifacts\n${artifacts.map(({ path, bytes }) => `  ${path} (${bytes} bytes)`).join('\n') || '  none'}`);
  say(`\ntokens\n${ledgerLines(route.tokens).join('\n')}`);
  say(`\ntrace ${asked.traceId}: ${spans.length} spans, ${services.length} services, ${lost.length} orphans\n${traceLines(spans).join('\n')}`);
  if (!json) return;
  const turn = { id: asked.turn, traceId: asked.traceId, ms: asked.ms };
  const trace = { spans: spans.length, services, orphans: lost.length };
  console.log(JSON.stringify({ turn, route: route.skills, artifacts, tokens: route.tokens, trace, answer: asked.answer }));
}

/** Downloads what a tool made into `.skillgate/out`. */
async function keep(api: ApiClient, { id, name, mime }: ArtifactRef): Promise<{ path: string; mime: string; bytes: number }> {
  const out = join(root, '.skillgate/out');
  const bytes = await api.download(id);
  mkdirSync(out, { recursive: true });
  const path = join(out, basename(name));
  writeFileSync(path, bytes);
  return { path, mime, bytes: bytes.length };
}
