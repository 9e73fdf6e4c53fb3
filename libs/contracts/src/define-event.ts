import type { z } from 'zod';

/** Something that happened in one room and may matter in others. Past tense, immutable, additions only. */
export interface Event<S extends z.ZodType = z.ZodType> {
  readonly type: 'event';
  /** `event.v<major>.<owner>.<what-happened>` */
  readonly subject: string;
  readonly owner: string;
  readonly schema: S;
}

export type EventPayload<E> = E extends Event<infer S> ? z.output<S> : never;

const eventSubject = /^event\.v\d+\.([a-z][a-z-]*)\.([a-z][a-z-]*)$/; // kind, major, owner, what-happened

export function defineEvent<S extends z.ZodType>(subject: string, schema: S): Event<S> {
  const owner = eventSubject.exec(subject)?.[1];
  if (!owner) throw new Error(`"${subject}" is no event subject; write event.v1.<owner>.<what-happened>`);
  return { type: 'event', subject, owner, schema };
}
