import type { Actor } from '@skillgate/contracts/audit';
import type { disconnectIntegration as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import type { Credential } from './credential.js';
import { isConnectable, type IntegrationsRoom } from './integrations-room.js';
import { providerFailure } from './provider-error.js';
import type { Provider } from './provider-table.js';
import { neverConnected, requireProvider, viewIntegration } from './view-integration.js';

/** First the credential is wiped here, then the provider is asked to forget it too: a slow one keeps nothing connected. */
export async function disconnectIntegration(
  room: IntegrationsRoom,
  asked: { account: string; integration: string },
  actor: Actor,
): Promise<CallAnswer<typeof contract>> {
  const provider = requireProvider(room.table, asked.integration);
  const held = await room.integrations.disconnect(asked.account, actor, asked.integration);
  const revoked = held ? await revoke(room, provider, held) : false;
  return { ...viewIntegration(provider, neverConnected, isConnectable(room, provider)), revoked };
}

async function revoke({ oauth, log }: IntegrationsRoom, provider: Provider, { account, secret }: Credential): Promise<boolean> {
  if (provider.kind !== 'oauth2' || !('tokens' in secret) || !oauth.hasClient(provider)) return false;
  const { refreshToken, accessToken } = secret.tokens;
  try {
    // With the refresh token goes the whole grant (RFC 7009, 2.1).
    return await oauth.revoke(provider, refreshToken ?? accessToken);
  } catch (error) {
    log.warn({ account, integration: provider.name, failure: providerFailure(error) }, 'a provider did not revoke a credential');
    return false;
  }
}
