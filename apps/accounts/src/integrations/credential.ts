import type { CredentialKind } from '@skillgate/contracts/calls/integrations';
import type { TokenSet } from './token-set.js';

/** What is sealed: tokens, or what a person entered. */
export type Secret = { readonly tokens: TokenSet } | { readonly fields: Readonly<Record<string, string>> };

/** A credential, opened. It never leaves this process but in a lease. */
export interface Credential {
  readonly id: string;
  readonly account: string;
  readonly integration: string;
  readonly kind: CredentialKind;
  /** Grows with each new secret; writes are made against the version that was read. */
  readonly version: number;
  readonly secret: Secret;
  readonly scopes: readonly string[];
}

/** Names one secret without saying anything of it. */
export const leaseOf = ({ id, version }: Pick<Credential, 'id' | 'version'>): string => `${id}.${version}`;
