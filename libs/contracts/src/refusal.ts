/**
 * The four error kinds of the house, told apart by who must act.
 *
 * - `refusal`: expected, named in the contract; the model or the user may read it and do something else.
 * - `unavailable`: nobody answered, too late, or overloaded; the same call may be repeated.
 * - `breach`: a message did not match its contract; a programmer of the named side must act.
 * - `defect`: everything else; the wire says "internal" and a correlation id, nothing more.
 *
 * Callers branch on `kind` and `slug`, never on `instanceof`: an error that crossed a process is data.
 */
export type ErrorKind = 'refusal' | 'unavailable' | 'breach' | 'defect';

/** What travels instead of a result. `message` is safe for a model and says what to do next. */
export interface WireError {
  kind: ErrorKind;
  /** Stable, kebab-case, frozen once published. */
  slug: string;
  message: string;
  /** The trace id of the failing call; find the cause in the log or trace under it. */
  correlationId?: string;
  /** For `unavailable`: milliseconds to wait before another try, when known. */
  retryAfterMs?: number;
  /** For `refusal`: facts that the caller may show (never secrets). */
  details?: Record<string, unknown>;
}

/** A `WireError` as something one can throw. */
export class HouseError extends Error implements WireError {
  readonly kind: ErrorKind;
  readonly slug: string;
  readonly correlationId?: string;
  readonly retryAfterMs?: number;
  readonly details?: Record<string, unknown>;

  constructor(error: WireError, options?: ErrorOptions) {
    super(error.message, options);
    this.name = 'HouseError';
    this.kind = error.kind;
    this.slug = error.slug;
    this.correlationId = error.correlationId;
    this.retryAfterMs = error.retryAfterMs;
    this.details = error.details;
  }

  toWire(): WireError {
    const { kind, slug, message, correlationId, retryAfterMs, details } = this;
    return JSON.parse(JSON.stringify({ kind, slug, message, correlationId, retryAfterMs, details })) as WireError;
  }
}

/** An expected no. `message` must say what to do next. */
export const refuse = (slug: string, message: string, details?: Record<string, unknown>): HouseError =>
  new HouseError({ kind: 'refusal', slug, message, details });

export const unavailable = (slug: string, message: string, retryAfterMs?: number): HouseError =>
  new HouseError({ kind: 'unavailable', slug, message, retryAfterMs });

export const breach = (slug: string, message: string): HouseError => new HouseError({ kind: 'breach', slug, message });

export function isHouseError(error: unknown): error is HouseError {
  return error instanceof Error && 'kind' in error && 'slug' in error;
}

export const isRefusal = (error: unknown, slug?: string): error is HouseError =>
  isHouseError(error) && error.kind === 'refusal' && (slug === undefined || error.slug === slug);

export const isUnavailable = (error: unknown, slug?: string): error is HouseError =>
  isHouseError(error) && error.kind === 'unavailable' && (slug === undefined || error.slug === slug);
