import { refuse } from '@skillgate/contracts/refusal';
import type { Log } from '@skillgate/service-kit/log';
import type { CredentialKeys } from './credential-keys.js';
import type { CredentialsStore } from './credentials-store.js';
import type { IntegrationsStore } from './integrations-store.js';
import { notConfigured, type OAuthRoom } from './oauth-room.js';
import type { PendingStore } from './pending-store.js';
import type { Provider, ProviderTable } from './provider-table.js';

/** What there is only where the operator gave credential keys. */
export interface CredentialRoom {
  readonly keys: CredentialKeys;
  readonly credentials: CredentialsStore;
  readonly pending: PendingStore;
}

/** What every use case of integrations works with. */
export interface IntegrationsRoom {
  readonly table: ProviderTable;
  /** What this house can name: more than the table where that lacks systems of every house. */
  readonly names: readonly string[];
  readonly oauth: OAuthRoom;
  readonly integrations: IntegrationsStore;
  readonly sealed?: CredentialRoom;
  readonly log: Log;
}

export const INTEGRATIONS = Symbol('accounts.integrations');

export const isConnectable = ({ oauth, sealed }: IntegrationsRoom, provider: Provider): boolean =>
  sealed !== undefined && (provider.kind !== 'oauth2' || oauth.hasClient(provider));

/** Refuses `integration-not-configured`. */
export function requireSealed({ sealed }: IntegrationsRoom, title: string): CredentialRoom {
  if (sealed) return sealed;
  throw notConfigured(title, 'SKILLGATE_CREDENTIAL_KEYS is not set, so no credential can be kept');
}

/** Refuses `unknown-integration` for a name that nothing here has. */
export function requireNames({ names }: Pick<IntegrationsRoom, 'names'>, wanted: readonly string[]): void {
  const unknown = wanted.filter((name) => !names.includes(name)).map((name) => `"${name.slice(0, 64)}"`);
  if (unknown.length > 0) throw refuse('unknown-integration', `There is no integration ${unknown.join(', ')}; choose from ${names.join(', ')}.`);
}
