import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from './schema-problem.js';

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/** How a schema breaks the rules of JSON Schema itself (draft 2020-12), with the place; undefined when it keeps them. */
export function standardProblem({ $schema: _, ...schema }: Schema): string | undefined {
  if (ajv.validateSchema(schema) === true) return undefined;
  const [error] = ajv.errors ?? [];
  const allowed = Array.isArray(error?.params.allowedValues) ? ` (${(error.params.allowedValues as unknown[]).join(', ')})` : '';
  return `The schema is no JSON Schema (draft 2020-12): ${error?.instancePath || 'the root'} ${error?.message ?? 'is wrong'}${allowed}.`;
}
