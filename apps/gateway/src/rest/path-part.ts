import type { PipeTransform } from '@nestjs/common';
import { refuse } from '@skillgate/contracts/refusal';
import type { z } from 'zod';

/** Checks one part of a path: a value that cannot name anything is as unknown as one that names nothing. */
export class PathPart implements PipeTransform<string, string> {
  constructor(
    private readonly schema: z.ZodType<string>,
    private readonly unknownSlug: string,
  ) {}

  transform(value: string): string {
    if (this.schema.safeParse(value).success) return value;
    throw refuse(this.unknownSlug, `"${value.slice(0, 100)}" is not written as such a name or id can be. Check the address.`);
  }
}
