import type { ModelEntry } from '@skillgate/prompt/models';
import type OpenAI from 'openai';
import type { OrchestratorConfig } from './config.js';
import type { Monolith } from './monolith.js';

/** What the loop of a turn needs beside its context. */
export interface TurnParts {
  readonly client: OpenAI;
  readonly config: OrchestratorConfig;
  /** Asked in this order when a turn's own model fails. */
  readonly fallbacks: readonly ModelEntry[];
  readonly monolith: () => Promise<Monolith | null>;
  /** Options of the request that the model gets as they came. */
  readonly sampling: Record<string, unknown>;
}
