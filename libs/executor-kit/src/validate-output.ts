import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { z } from 'zod';
import type { JsonSchema } from './json-schema.js';

/** What a tool gave back, as its schema has it, or what is wrong with it. */
export type CheckedOutput = { readonly data: unknown } | { readonly problem: string };

/** Problems told at once. They are read in a log by whoever wrote the tool. */
const mostProblems = 5;

/**
 * Compiles the check of what a tool gives back; zod also drops what its object does not name.
 *
 * @throws Error when the JSON Schema itself is off
 */
export function compileOutput(schema: z.ZodType | JsonSchema): (output: unknown) => CheckedOutput {
  if (schema instanceof z.ZodType) {
    return (output) => {
      const checked = schema.safeParse(output);
      return checked.success ? { data: checked.data } : { problem: z.prettifyError(checked.error) };
    };
  }
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats.default(ajv);
  const check = ajv.compile(withoutDraft(schema));
  return (output) => {
    if (check(output)) return { data: output };
    const problems = (check.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the output'} ${message ?? 'is not valid'}`);
    return { problem: [...new Set(problems)].slice(0, mostProblems).join('; ') };
  };
}

/** `$schema` names a draft that the checker has not at hand; what other drafts say alike is said alike here. */
export function withoutDraft({ $schema: _draft, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
