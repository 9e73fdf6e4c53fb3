import type { z } from 'zod';

/** Milliseconds that a caller waits for an answer unless it says otherwise. */
export const defaultDeadlineMs = 5_000;

/**
 * One request and its answer between two services, the same object for the handler and the caller.
 *
 * `perCaller` calls are served on `<subject>.<caller>`: the broker lets each service publish only under its own
 * name, so the handler may believe who is asking.
 */
export interface Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly type: 'call';
  /** `call.v<major>.<owner>.<verb-noun>` */
  readonly subject: string;
  readonly owner: string;
  readonly input: I;
  readonly output: O;
  /** Slugs of the refusals that the handler may answer with. */
  readonly refusals: readonly string[];
  readonly perCaller: boolean;
  readonly deadlineMs: number;
}

export type CallInput<C> = C extends Call<infer I, z.ZodType> ? z.input<I> : never;
export type CallOutput<C> = C extends Call<z.ZodType, infer O> ? z.output<O> : never;
/** What a handler sees: the input after parsing, defaults applied. */
export type CallParsedInput<C> = C extends Call<infer I, z.ZodType> ? z.output<I> : never;
/** What a handler may return: the output before parsing. */
export type CallAnswer<C> = C extends Call<z.ZodType, infer O> ? z.input<O> : never;

const callSubject = /^call\.v\d+\.([a-z][a-z-]*)\.([a-z][a-z-]*)$/; // kind, major, owner, verb-noun

export function defineCall<I extends z.ZodType, O extends z.ZodType>(
  subject: string,
  shape: { input: I; output: O; refusals?: readonly string[]; perCaller?: boolean; deadlineMs?: number },
): Call<I, O> {
  const owner = callSubject.exec(subject)?.[1];
  if (!owner) throw new Error(`"${subject}" is no call subject; write call.v1.<owner>.<verb-noun>`);
  return {
    type: 'call',
    subject,
    owner,
    input: shape.input,
    output: shape.output,
    refusals: shape.refusals ?? [],
    perCaller: shape.perCaller ?? false,
    deadlineMs: shape.deadlineMs ?? defaultDeadlineMs,
  };
}
