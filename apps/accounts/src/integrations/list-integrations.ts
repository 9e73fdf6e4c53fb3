import type { IntegrationView } from '@skillgate/contracts/calls/integrations';
import { isConnectable, type IntegrationsRoom } from './integrations-room.js';
import { neverConnected, viewIntegration } from './view-integration.js';

/** Every outside system of the table, in its order, as it stands for the account. */
export async function listIntegrations(room: IntegrationsRoom, account: string): Promise<IntegrationView[]> {
  const states = new Map((await room.integrations.states(account)).map((state) => [state.name, state]));
  return [...room.table.values()].map((provider) =>
    viewIntegration(provider, states.get(provider.name) ?? neverConnected, isConnectable(room, provider)),
  );
}
