import { orphans } from '@skillgate/backing/trace-tree';
import { offlineModelId } from '@skillgate/offline-model/start';
import { startLocalHouse } from '@skillgate/standalone/local-house';
import { root } from '@skillgate/standalone/run-from-source';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ApiClient } from './api-client.js';
import { askHouse } from './ask-house.js';
import { demoArguments } from './demo-arguments.js';
import { endOnSignal } from './end-on-signal.js';
import { ledgerLines, routeLines, traceLines } from './print-demo.js';
import { settledTrace } from './settled-trace.js';

const { file, mime, request, json } = demoArguments(root);
const say = (line = '') => (json ? console.error(line) : console.log(line));

// A house of its own, thrown away afterwards: two demonstrations never meet, and nothing of `bin/dev` is touched.
const stateDir = mkdtempSync(join(tmpdir(), 'skillgate-demo-'));
chmodSync(stateDir, 0o711); // the user postgres must pass
const house = await startLocalHouse({
  stateDir,
  durable: false,
  ownTraces: true,
  tell: (line) => say(`  ${line}`),
}).catch((error: Error) => {
  console.error(`Skillgate did not start: ${error.message}\nIts log: ${join(stateDir, 'house.log')}`);
  return process.exit(1);
});
const end = async () => {
  await house.stop();
  rmSync(stateDir, { recursive: true, force: true });
};
endOnSignal(end);

try {
  await show();
} finally {
  await end();
}

async function show(): Promise<void> {
  const api = new ApiClient(house.url, house.keys.pro);
  say(`\nrequest  ${request}\nfile     ${file}\n`);
  const material = await api.upload(basename(file), mime, readFileSync(file));
  let text = false;
  const asked = await askHouse({
    url: house.url,
    key: house.keys.pro,
    model: process.env.SKILLGATE_MODEL ?? offlineModelId,
    request,
    artifacts: [material.id],
    onProgress: ({ message }) => say(`${text ? '\n' : ''}  · ${message}`),
    onText: (piece) => {
      text = true;
      (json ? process.stderr : process.stdout).write(piece);
    },
  });
  const route = await api.route(asked.turn);
  const artifacts = [];
  const out = join(root, '.skillgate/out');
  for (const { id, name, mime: kind } of asked.artifacts) {
    const bytes = await api.download(id);
    const path = join(out, basename(name));
    mkdirSync(out, { recursive: true });
    writeFileSync(path, bytes);
    artifacts.push({ path, mime: kind, bytes: bytes.length });
  }
  const spans = house.receiver ? await settledTrace(house.receiver, asked.traceId) : [];
  const lost = orphans(spans);
  const services = [...new Set(spans.map((span) => span.service))].sort();
  say(`\n\nroute\n${routeLines(route).join('\n')}`);
  say(`\nartifacts\n${artifacts.map(({ path, bytes }) => `  ${path} (${bytes} bytes)`).join('\n') || '  none'}`);
  say(`\ntokens\n${ledgerLines(route.tokens).join('\n')}`);
  say(`\ntrace ${asked.traceId}: ${spans.length} spans, ${services.length} services, ${lost.length} orphans\n${traceLines(spans).join('\n')}`);
  if (!json) return;
  console.log(
    JSON.stringify({
      turn: { id: asked.turn, traceId: asked.traceId, ms: asked.ms },
      route: route.skills,
      artifacts,
      tokens: route.tokens,
      trace: { spans: spans.length, services, orphans: lost.length },
      answer: asked.answer,
    }),
  );
}
