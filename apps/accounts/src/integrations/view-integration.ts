import type { IntegrationView } from '@skillgate/contracts/calls/integrations';
import { refuse } from '@skillgate/contracts/refusal';
import type { IntegrationState } from './integrations-store.js';
import type { OAuthProvider, Provider, ProviderTable } from './provider-table.js';

export type ViewedState = Omit<IntegrationState, 'name'>;

export const neverConnected: ViewedState = {
  status: 'disconnected',
  by: null,
  at: null,
  scopes: [],
  label: null,
  why: null,
  credential: false,
};

export function viewIntegration(provider: Provider, state: ViewedState, connectable: boolean): IntegrationView {
  const { name: integration, title, kind } = provider;
  const { status, credential, by, scopes, label, why } = state;
  const fields = provider.kind === 'oauth2' ? [] : provider.fields;
  const at = state.at?.toISOString() ?? null;
  return { integration, title, kind, status, connectable, fields, credential, by, at, scopes, label, why };
}

/** Refuses `unknown-integration`. */
export function requireProvider(table: ProviderTable, name: string): Provider {
  const provider = table.get(name);
  if (provider) return provider;
  throw refuse('unknown-integration', `There is no integration "${name.slice(0, 64)}"; choose one of ${[...table.keys()].join(', ')}.`);
}

/** Refuses `wrong-kind` for what takes no OAuth. */
export function requireOAuth(provider: Provider): OAuthProvider {
  if (provider.kind === 'oauth2') return provider;
  const names = provider.fields.map(({ name }) => name).join(', ');
  throw refuse('wrong-kind', `${provider.title} has no sign-in to begin; connect it with its fields: ${names}.`);
}
