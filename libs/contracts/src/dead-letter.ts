import { z } from 'zod';
import type { Event } from './define-event.js';

/** An event that one consumer gave up on, and why. Published on `deadLetterSubject`, kept in the hearing service's stream. */
export const deadLetter = z.object({
  eventId: z.string(),
  /** Of the event. */
  subject: z.string(),
  /** Durable name of the consumer. */
  consumer: z.string(),
  service: z.string(),
  reason: z.object({ kind: z.enum(['refusal', 'breach', 'defect']), slug: z.string(), message: z.string() }),
  /** How often the event was delivered. */
  attempts: z.number().int().positive(),
  /** The body as it was: JSON where it was JSON, else text. */
  payload: z.unknown(),
  /** Those of the event, for its replay. */
  headers: z.record(z.string(), z.string()),
  at: z.iso.datetime(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/** `dead.v1.<service>.<owner>.<what-happened>` */
export const deadLetterSubject = (service: string, event: Event): string =>
  `dead.v1.${service}.${event.subject.split('.').slice(2).join('.')}`;
