import { format } from 'node:util';
import { context, isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { turnContextKey } from '@skillgate/wire/service-context';
import { redact, redactText } from './redact.js';
import { isHeard, tellLine } from './told.js';
import type { BaseConfig } from './variables.js';

export type Log = Logger;
export type LogDestination = DestinationStream;

/**
 * JSON lines, to stdout unless `destination` is given: level, time (ISO 8601), service, trace_id, span_id and turn of the
 * active context, then what was logged, without secrets (`redact-rules.ts`).
 */
export function makeLog(service: string, level: BaseConfig['SKILLGATE_LOG_LEVEL'], destination?: LogDestination): Log {
  const heard = isHeard();
  const log = pino(
    {
      level: heard ? 'trace' : level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: place,
      serializers: { err: (told: unknown) => told }, // pino's own would undo ours
      hooks: {
        logMethod(args, method) {
          method.apply(this, safeArguments(args) as Parameters<typeof method>);
        },
      },
    },
    (heard ? tellAll(level, destination) : destination) as DestinationStream,
  );
  const child = log.child;
  // pino drops a formatter of bindings in children; they inherit this method from the root instead.
  log.child = function safeChild(this: Log, bindings: object, options?: object) {
    return child.call(this, redact(bindings) as never, options as never);
  } as typeof log.child;
  return log;
}

/** Whoever watches the whole run hears every line; the destination gets those of its level, as ever. */
function tellAll(level: BaseConfig['SKILLGATE_LOG_LEVEL'], destination: LogDestination = pino.destination(1)): LogDestination {
  const least = pino.levels.values[level] ?? Infinity; // `silent` has no number
  return {
    write(line: string) {
      tellLine(line);
      const own = /^\{"level":"(\w+)"/.exec(line)?.[1] ?? ''; // the level stands first, see `formatters`
      if ((pino.levels.values[own] ?? 0) >= least) destination.write(line);
    },
  };
}

/** Where in which turn the line was written. */
function place(): object {
  const active = context.active();
  const span = trace.getSpanContext(active);
  const turn = active.getValue(turnContextKey);
  return { ...(span && isSpanContextValid(span) ? { trace_id: span.traceId, span_id: span.spanId } : {}), ...(turn ? { turn } : {}) };
}

/** `(facts | error, message?, ...values)` or `(message, ...values)` -> the same without secrets, the message formatted. */
function safeArguments(args: readonly unknown[]): readonly unknown[] {
  const [first, ...values] = args;
  if (typeof first !== 'object' || first === null) return [message(args)];
  const facts: { err?: unknown } = first instanceof Error ? { err: first } : first;
  const fallback = facts.err instanceof Error ? facts.err.message : undefined;
  const text = values.length > 0 ? message(values) : fallback && redactText(fallback);
  return text === undefined ? [redact(facts)] : [redact(facts), text];
}

const message = (values: readonly unknown[]): string => redactText(format(...values.map(redact)));
