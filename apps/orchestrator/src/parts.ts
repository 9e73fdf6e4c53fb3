import { readFileSync } from 'node:fs';
import type { Kit } from '@skillgate/service-kit/boot';
import { PolicyEpochs, watchPolicy } from '@skillgate/service-kit/policy-epochs';
import { loadModels, modelEntry } from '@skillgate/prompt/models';
import type { AcceptParts } from './accept-turn.js';
import type { ActiveTurns } from './active-turns.js';
import { callLedgers } from './call-ledgers.js';
import type { OrchestratorConfig } from './config.js';
import { Publications, watchPublications } from './publications.js';
import type { SearchChats } from './search-store.js';
import { modelClient } from './model-client.js';
import { monolithMeter } from './monolith.js';
import type { TurnStore } from './turn-store.js';
import { watchSilence, WorkingCalls } from './working-calls.js';

/** Nest token of all that a turn needs beside its own input. */
export const PARTS = Symbol('orchestrator.parts');

export function makeParts(kit: Kit<OrchestratorConfig & Kit['config']>, store: TurnStore, turns: ActiveTurns, chats: SearchChats): AcceptParts {
  const { config, wire, log, telemetry } = kit;
  const models = loadModels(readFileSync(config.SKILLGATE_MODELS_FILE, 'utf8'));
  const working = new WorkingCalls();
  const epochs = new PolicyEpochs();
  void watchPolicy(wire, epochs, log); // closed with the wire
  const publications = new Publications();
  watchPublications(wire, publications, log);
  wire.subscribeProgress((said, from) => working.heard(said, from));
  watchSilence(wire, working, log);
  const fallbacks = config.SKILLGATE_FALLBACK_MODELS.map((id) => modelEntry(models, id));
  const told = { wire, log, tracer: telemetry.tracer };
  return { config, models, fallbacks, client: modelClient(config), store, turns, chats, working, epochs, ledgers: callLedgers(wire, log), publications, ...told, monolith: monolithMeter(wire, log) };
}
