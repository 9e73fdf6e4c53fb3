import { z } from 'zod';
import { baseVariables, type BaseConfig } from './variables.js';

/** EX_CONFIG of sysexits.h: the process that cannot be configured ends with it. */
export const configExitCode = 78;

export interface BadVariable {
  readonly name: string;
  readonly problem: string;
  readonly example?: string;
}

/** Lists every bad variable at once. The message holds no value that was given, but for names of files and folders. */
export class ConfigError extends Error {
  constructor(
    readonly service: string,
    readonly variables: readonly BadVariable[],
  ) {
    const lines = variables.map(
      ({ name, problem, example }) => `  ${name}: ${problem}${example ? `; for example ${name}=${example}` : ''}`,
    );
    super(
      [
        `${service} cannot start: ${variables.length === 1 ? 'one variable is' : `${variables.length} variables are`} wrong or absent.`,
        ...lines,
      ].join('\n'),
    );
    this.name = 'ConfigError';
  }
}

/** `SKILLGATE_X` of one service where several share an environment: `SKILLGATE_X_EXECUTOR_DOCS`. */
export const ownName = (variable: string, service: string): string => `${variable}_${service.toUpperCase().replaceAll('-', '_')}`;

/**
 * The service's own variables and the base ones, read from `env`. A variable with the service's name behind it wins; an
 * empty one counts as absent. Throws a ConfigError.
 */
export function readConfig<C extends z.ZodObject>(service: string, own: C, env: NodeJS.ProcessEnv): z.output<C> & BaseConfig {
  const schema = z.object({ ...baseVariables.shape, ...own.shape });
  const found = Object.keys(schema.shape).map((name) => [name, sourceOf(name, service, env)] as const);
  const given = found.flatMap(([name, source]) => (source ? [[name, env[source]]] : []));
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data as z.output<C> & BaseConfig;
  const bad = new Map<string, BadVariable>();
  for (const { path, message } of parsed.error.issues) {
    const variable = String(path[0]);
    const source = sourceOf(variable, service, env);
    if (bad.has(variable)) continue; // the other problems of a variable mostly follow from its first
    const example = exampleOf((schema.shape as Record<string, unknown>)[variable]);
    bad.set(variable, { name: source ?? variable, problem: source ? message : 'is not set', example });
  }
  throw new ConfigError(service, [...bad.values()]);
}

function sourceOf(variable: string, service: string, env: NodeJS.ProcessEnv): string | undefined {
  // Names that are not ours (OTEL_…) have a meaning of their own and get no suffix.
  const names = variable.startsWith('SKILLGATE_') ? [ownName(variable, service), variable] : [variable];
  return names.find((name) => env[name]);
}

/** `.meta({ example })` of the schema or of what `.default()`, `.optional()` and the like wrap. */
function exampleOf(schema: unknown): string | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  const example = schema.meta()?.example;
  if (typeof example === 'string') return example;
  if (schema instanceof z.ZodEnum) return String(schema.options[0]);
  const { innerType, in: source } = schema.def as { innerType?: unknown; in?: unknown };
  return exampleOf(innerType ?? source);
}
