import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { DescribedError } from './describe-error.js';

/** RFC 9457 problem details, with the slug on its own as well. */
export const problem = z.object({
  type: z.string().describe('`urn:skillgate:problem:<slug>`'),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().describe('What is wrong and what to do next.'),
  instance: z.string().describe('The path that was asked.'),
  slug: z.string().describe('Stable name of the problem; branch on it.'),
  param: z.string().optional().describe('The field at fault.'),
  limit: z.number().optional().describe('Of a 429: the value of the limit that was reached; the slug names it.'),
  used: z.number().optional().describe('Of a 429: how much was used by then.'),
  resetsAt: z.string().optional().describe('Of a 429: when there is room again, where that is known (ISO 8601).'),
  correlationId: z.string().optional().describe('Find the cause in the log or the trace under it.'),
});
export type Problem = z.infer<typeof problem>;

export const toProblem = ({ status, slug, message, param, correlationId, details }: DescribedError, instance: string): Problem => ({
  ...details,
  type: `urn:skillgate:problem:${slug}`,
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail: message,
  instance,
  slug,
  ...(param ? { param } : {}),
  ...(correlationId ? { correlationId } : {}),
});
