import { context } from '@opentelemetry/api';
import type { LoggerService } from '@nestjs/common';
import { serviceContextKey } from '@skillgate/wire/service-context';
import type { Log } from './log.js';

/**
 * Nest keeps one logger a process, and each new application replaces it. So all services give it the same one, which
 * writes to the log of the service whose code runs.
 */
const logs = new Map<string, Log>();

type Level = 'trace' | 'debug' | 'warn' | 'error' | 'fatal';

function write(level: Level, message: unknown, more: unknown[]): void {
  const service = context.active().getValue(serviceContextKey);
  const log = logs.get(String(service)) ?? [...logs.values()].at(-1);
  const nest = more.at(-1); // Nest appends the name of the class that logs
  const stack = more.slice(0, -1).filter((each) => each !== undefined);
  const facts = { nest, ...(stack.length > 0 ? { stack } : {}) };
  if (message instanceof Error) log?.[level]({ ...facts, err: message });
  else log?.[level](facts, '%s', message);
}

const nestLog: LoggerService = {
  // What Nest reports at its own level `log` is the list of modules and routes.
  log: (message: unknown, ...more: unknown[]) => write('debug', message, more),
  verbose: (message: unknown, ...more: unknown[]) => write('trace', message, more),
  debug: (message: unknown, ...more: unknown[]) => write('debug', message, more),
  warn: (message: unknown, ...more: unknown[]) => write('warn', message, more),
  error: (message: unknown, ...more: unknown[]) => write('error', message, more),
  fatal: (message: unknown, ...more: unknown[]) => write('fatal', message, more),
};

/** @returns the logger to give to Nest, which from now on knows this service's log */
export function nestLogFor(service: string, log: Log): LoggerService {
  logs.set(service, log);
  return nestLog;
}
