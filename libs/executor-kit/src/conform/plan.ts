import { jsonSchema, toolName } from '@skillgate/contracts/words';
import { z } from 'zod';

const example = z.strictObject({ tool: toolName, arguments: jsonSchema });

/**
 * Calls of the executor's own tools that the suite tries it with: `conformance.json` beside its code. They run for real, `call` some
 * forty times under ids of their own. What is left out leaves the rules that need it untried.
 */
export const conformPlan = z.strictObject({
  /** Works at once, and may be repeated. */
  call: example,
  /** Other arguments for the tool of `call` that fit too. */
  other: jsonSchema.optional(),
  /** Arguments that the tool of `call` must refuse. Without them a field of no tool: `{ "__no_such_field__": 1 }`. */
  invalid: jsonSchema.optional(),
  /** Works for three seconds or longer. */
  slow: example.optional(),
  /** Would give back more than 256 KiB. */
  large: example.optional(),
  /** Of a tool whose effect is `write` or `external`; `call`, where that is one. */
  write: example.optional(),
});
export type ConformPlan = z.infer<typeof conformPlan>;
export type Example = z.infer<typeof example>;
