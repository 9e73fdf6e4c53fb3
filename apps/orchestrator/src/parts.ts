import { readFileSync } from 'node:fs';
import type { Kit } from '@skillgate/service-kit/boot';
import OpenAI from 'openai';
import { loadModels } from '@skillgate/prompt/models';
import type { AcceptParts } from './accept-turn.js';
import type { ActiveTurns } from './active-turns.js';
import type { OrchestratorConfig } from './config.js';
import { monolithMeter } from './monolith.js';
import type { TurnStore } from './turn-store.js';

/** Nest token of all that a turn needs beside its own input. */
export const PARTS = Symbol('orchestrator.parts');

/** Connection and 429/5xx retries of the client, before any text has reached the user. */
const modelRetries = 2;

export function makeParts(kit: Kit<OrchestratorConfig & Kit['config']>, store: TurnStore, turns: ActiveTurns): AcceptParts {
  const { config, wire, log, telemetry } = kit;
  const models = loadModels(readFileSync(config.SKILLGATE_MODELS_FILE, 'utf8'));
  const client = new OpenAI({ baseURL: config.SKILLGATE_MODEL_BASE_URL, apiKey: config.SKILLGATE_MODEL_API_KEY, maxRetries: modelRetries });
  return { config, models, client, store, turns, wire, log, tracer: telemetry.tracer, monolith: monolithMeter(wire) };
}
