import { fileVariable } from '@skillgate/service-kit/file-variable';
import { databaseUrlVariable } from '@skillgate/service-kit/variables';
import { catalogBudget } from '@skillgate/prompt/fit-catalog';
import { modelsFile } from '@skillgate/prompt/models';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The orchestrator's own environment variables. */
export const orchestratorConfig = z.object({
  SKILLGATE_DATABASE_URL: databaseUrlVariable,
  /** Any OpenAI-compatible endpoint, with its `/v1`. */
  SKILLGATE_MODEL_BASE_URL: z.url().meta({ example: 'https://models.example.com/v1' }),
  SKILLGATE_MODEL_API_KEY: z.string().default('none').meta({ example: 'sk-…' }),
  /** Model id that is used when a request names none; its entry in models.yaml decides how it is spoken to. */
  SKILLGATE_MODEL: z.string().min(1).default('skillgate-offline').meta({ example: 'gpt-4.1' }),
  /** Models of the same endpoint that are asked, in this order, when a turn's own fails: ids with commas between them. */
  SKILLGATE_FALLBACK_MODELS: z
    .string()
    .default('')
    .transform((ids) => ids.split(',').map((id) => id.trim()).filter(Boolean))
    .meta({ example: 'gpt-4.1-mini,gpt-4o-mini' }),
  /** How each model is spoken to; see models.yaml of libs/prompt. */
  SKILLGATE_MODELS_FILE: fileVariable.default(fileURLToPath(modelsFile)).meta({ example: '/etc/skillgate/models.yaml' }),
  /** Overrides the exposure plan of every model's entry. */
  SKILLGATE_PLAN: z.enum(['expand', 'dispatch']).optional(),
  /** Tokens (o200k) of the catalog in a prompt. A longer one is shortened, then grouped; `list_skills` reaches what has no line. */
  SKILLGATE_CATALOG_TOKENS: z.coerce.number().int().min(200).default(catalogBudget),
  /** Model calls a turn. */
  SKILLGATE_TURN_STEPS: z.coerce.number().int().min(1).max(200).default(24),
  /** Tool calls a turn. */
  SKILLGATE_TURN_CALLS: z.coerce.number().int().min(1).max(1000).default(64),
  /** Tokens of a turn, in and out, as the model is asked again and again. */
  SKILLGATE_TURN_TOKENS: z.coerce.number().int().min(1_000).default(2_000_000),
  /** US dollars a turn by the prices of models.yaml; no limit unless given, and none for models without prices. */
  SKILLGATE_TURN_USD: z.coerce.number().positive().optional(),
  /** Share of a model's window, less its answer, at which the beginning of a chat is summarised. */
  SKILLGATE_COMPACT_AT: z.coerce.number().min(0.05).max(1).default(0.85),
  /** Wall time of a turn in milliseconds. */
  SKILLGATE_TURN_MS: z.coerce.number().int().min(1_000).max(840_000).default(600_000),
  /** Milliseconds that a turn waits for its user to approve calls; then it ends as failed. */
  SKILLGATE_APPROVAL_MS: z.coerce.number().int().min(1_000).max(7 * 24 * 3_600_000).default(24 * 3_600_000),
  /** Milliseconds that a turn belongs to its instance without a word from it; then another takes it over. */
  SKILLGATE_LEASE_MS: z.coerce.number().int().min(1_000).max(120_000).default(15_000),
  /** Milliseconds without a byte after which a model's stream counts as stalled. */
  SKILLGATE_MODEL_STALL_MS: z.coerce.number().int().min(1_000).default(60_000),
});

export type OrchestratorConfig = z.infer<typeof orchestratorConfig>;
