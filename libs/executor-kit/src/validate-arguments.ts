import { refuse } from '@skillgate/contracts/refusal';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { z } from 'zod';
import type { JsonSchema } from './json-schema.js';
import { describeProblem } from './describe-problem.js';
import { withoutDraft } from './validate-output.js';

/** Problems told at once; more than these are noise for a model. */
const mostProblems = 5;

/**
 * Compiles a tool's check once. The returned function gives the arguments with defaults applied and throws the
 * refusal `invalid-arguments`, whose message names each field and what is expected of it, never the value given.
 */
export function compileArguments(tool: string, schema: JsonSchema, decoder?: z.ZodType): (args: JsonSchema) => unknown {
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, useDefaults: !decoder });
  formats.default(ajv);
  const check = ajv.compile(withoutDraft(schema));

  return (given) => {
    const args = withoutEmptyOptionals(given, schema);
    if (!check(args))
      throw invalid(
        tool,
        (check.errors ?? []).map((error) => describeProblem(error, schema)),
      );
    if (!decoder) return args;
    const decoded = decoder.safeParse(args);
    if (decoded.success) return decoded.data;
    throw invalid(
      tool,
      decoded.error.issues.map((issue) => `"${issue.path.join('.') || 'arguments'}": ${issue.message}`),
    );
  };
}

/** Models that must fill every field send `null` for "nothing"; a tool expects absence. */
function withoutEmptyOptionals(args: JsonSchema, schema: JsonSchema): JsonSchema {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const refusesNull = (type: unknown) => typeof type === 'string' && type !== 'null';
  const isEmpty = ([name, value]: [string, unknown]) => value === null && !required.has(name) && refusesNull(properties[name]?.type);
  // a copy, since ajv writes defaults into what it checks and the ledger holds the arguments as they came
  return structuredClone(Object.fromEntries(Object.entries(args).filter((entry) => !isEmpty(entry))));
}

function invalid(tool: string, found: string[]) {
  const problems = [...new Set(found)];
  const told = problems.slice(0, mostProblems);
  if (problems.length > told.length) told.push(`and ${problems.length - told.length} more`);
  const message = `The arguments of ${tool} do not fit: ${told.join('; ')}. Nothing was done. Call ${tool} again with these corrected.`;
  return refuse('invalid-arguments', message, { problems: told });
}
