import type { TurnPlace } from '@skillgate/wire/read-turn';
import type { Request } from 'express';
import { z } from 'zod';
import { plainWords } from '../errors/plain-words.js';
import { refuseIssues } from '../errors/refuse-issues.js';
import { readEventId } from './event-id.js';

const flag = z
  .enum(['true', 'false'], 'must be "true" or "false".')
  .default('false')
  .transform((text) => text === 'true');

const query = z.strictObject({ last_event_id: z.unknown().optional(), progress: flag, include_usage: flag });

export interface ResumeRequest {
  /** What the client has; null when it has nothing. */
  from: TurnPlace | null;
  includeUsage: boolean;
  progress: boolean;
}

/** Refusals: `invalid-event-id`, `invalid-request`. */
export function resumeRequest(request: Pick<Request, 'headers' | 'query'>): ResumeRequest {
  const parsed = query.safeParse(request.query, { error: plainWords });
  if (!parsed.success) throw refuseIssues('invalid-request', parsed.error);
  const { last_event_id: fromQuery, include_usage: includeUsage, progress } = parsed.data;
  // An EventSource that reconnects sets the header, and repeats the address that it began with.
  const from = readEventId(request.headers['last-event-id'], 'Last-Event-ID') ?? readEventId(fromQuery, 'last_event_id');
  return { from, includeUsage, progress };
}
