import OpenAI from 'openai';
import type { OrchestratorConfig } from './config.js';

/** Silent, since the client's own log quotes answers; and it tries again by other means: see retry-model.ts. */
export const modelClient = ({ SKILLGATE_MODEL_BASE_URL: baseURL, SKILLGATE_MODEL_API_KEY: apiKey }: Pick<OrchestratorConfig, 'SKILLGATE_MODEL_BASE_URL' | 'SKILLGATE_MODEL_API_KEY'>): OpenAI =>
  new OpenAI({ baseURL, apiKey, maxRetries: 0, logLevel: 'off' });
