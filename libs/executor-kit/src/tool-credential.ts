import { inspect } from 'node:util';
import type { CredentialKind, LeasedCredential } from '@skillgate/contracts/calls/integrations';

/**
 * A credential for one call. What is secret in it comes out by name alone: printed, serialised, logged or returned it shows
 * which outside system it opens and nothing more.
 */
export class ToolCredential {
  readonly #leased: LeasedCredential;

  constructor(
    readonly integration: string,
    leased: LeasedCredential,
  ) {
    this.#leased = leased;
  }

  get kind(): CredentialKind {
    return this.#leased.kind;
  }

  /** What the outside system granted, which may be less than the tool would like. */
  get scopes(): readonly string[] {
    return this.#leased.scopes;
  }

  /** Milliseconds since the epoch; undefined for what does not end by itself. */
  get expiresAt(): number | undefined {
    return this.#leased.expiresAt;
  }

  /** Names this secret towards accounts; says nothing of it. */
  get lease(): string {
    return this.#leased.lease;
  }

  /** For `Authorization: Bearer`. @throws Error for a credential that is no OAuth token */
  get accessToken(): string {
    const { accessToken } = this.#leased;
    if (accessToken === undefined) throw new Error(`${this.integration} is opened by ${this.kind}, which has no access token: use field()`);
    return accessToken;
  }

  /** What a person entered under that name. @throws Error for a name that the provider table does not have */
  field(name: string): string {
    const value = this.#leased.fields?.[name];
    if (value === undefined) throw new Error(`the credential of ${this.integration} has no field "${name}"`);
    return value;
  }

  /** All that must never be seen. */
  secrets(): string[] {
    const { accessToken, fields = {} } = this.#leased;
    return [...(accessToken === undefined ? [] : [accessToken]), ...Object.values(fields)];
  }

  toJSON(): string {
    return `[credential of ${this.integration}]`;
  }

  toString(): string {
    return this.toJSON();
  }

  [inspect.custom](): string {
    return this.toJSON();
  }
}
