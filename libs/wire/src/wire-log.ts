/** The part of a structured logger that the wire uses; pino has this shape. */
export interface WireLog {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

const line = (level: string) => (facts: object, message: string) =>
  console.error(JSON.stringify({ level, message, ...facts }, (_key, value) => (value instanceof Error ? String(value.stack) : value)));

/** For whoever gives no logger: warnings and errors to stderr, nothing else. */
export const stderrLog: WireLog = { debug: () => undefined, info: () => undefined, warn: line('warn'), error: line('error') };
