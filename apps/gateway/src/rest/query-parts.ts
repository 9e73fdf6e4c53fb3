import type { PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { plainWords } from '../errors/plain-words.js';
import { refuseIssues } from '../errors/refuse-issues.js';

/** Checks what stands behind the `?` of an address, all of it: a part that nobody reads is refused by name. Refusal: `invalid-query`. */
export class QueryParts<S extends z.ZodType> implements PipeTransform<unknown, z.output<S>> {
  constructor(private readonly schema: S) {}

  transform(query: unknown): z.output<S> {
    const parsed = this.schema.safeParse({ ...(query as object) }, { error: plainWords }); // of Express it has no prototype
    if (!parsed.success) throw refuseIssues('invalid-query', parsed.error);
    return parsed.data;
  }
}
