import { HouseError, isHouseError } from '@skillgate/contracts/refusal';
import type { WireLog } from '@skillgate/wire/wire-log';

/** Shorter ones are words like any other, and taking them out would tear texts apart. */
const shortest = 6;

/**
 * Takes the leased secrets of one call out of everything that leaves it: results, errors, progress, log lines. Tools and
 * the libraries that they use are not trusted to keep them.
 */
export class Scrub {
  private readonly marks = new Map<string, string>();

  add(secrets: readonly string[], mark: string): void {
    for (const secret of secrets) {
      if (secret.length < shortest) continue;
      // Also as it stands in a URL, in a form, and in a header of RFC 7617 and the like.
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) this.marks.set(form, mark);
    }
  }

  text(text: string): string {
    let clean = text;
    for (const [secret, mark] of this.marks) clean = clean.replaceAll(secret, mark);
    return clean;
  }

  /** A copy without secrets where there are any; the very same value where not. */
  value<T>(value: T): T {
    if (this.marks.size === 0) return value;
    return this.copy(value, []) as T;
  }

  error(error: unknown): unknown {
    if (this.marks.size === 0) return error;
    if (isHouseError(error)) {
      const { kind, slug, message, correlationId, retryAfterMs, details } = error;
      const clean = { kind, slug, message: this.text(message), correlationId, retryAfterMs, details: this.value(details) };
      return new HouseError(clean, { cause: this.value(error.cause) });
    }
    return this.value(error);
  }

  log(log: WireLog): WireLog {
    const clean = (level: keyof WireLog) => (facts: object, message: string) => log[level](this.value(facts), this.text(message));
    return { debug: clean('debug'), info: clean('info'), warn: clean('warn'), error: clean('error') };
  }

  private copy(value: unknown, above: readonly object[]): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (above.includes(value)) return '[circular]';
    const inside = (each: unknown) => this.copy(each, [...above, value]);
    if (value instanceof Error) return this.copyError(value, inside);
    if (Array.isArray(value)) return value.map(inside);
    if ('toJSON' in value && typeof value.toJSON === 'function') return inside(value.toJSON());
    if (ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [this.text(key), inside(each)]));
  }

  private copyError(error: Error, inside: (value: unknown) => unknown): Error {
    const copy = new Error(this.text(error.message), error.cause === undefined ? undefined : { cause: inside(error.cause) });
    copy.name = error.name;
    copy.stack = this.text(error.stack ?? '');
    const { code } = error as { code?: unknown };
    return code === undefined ? copy : Object.assign(copy, { code: inside(code) });
  }
}
