import type { Actor } from '@skillgate/contracts/audit';
import type { beginConnection as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import { isHouseError } from '@skillgate/contracts/refusal';
import { requireSealed, type IntegrationsRoom } from './integrations-room.js';
import { providerFailure } from './provider-error.js';
import { requireOAuth, requireProvider } from './view-integration.js';

/** A fresh state and PKCE verifier, and the address at which a person agrees. Bound to the account and the user who asks. */
export async function beginConnection(
  room: IntegrationsRoom,
  asked: { integration: string; redirectUri: string },
  actor: Actor,
): Promise<CallAnswer<typeof contract>> {
  const provider = requireOAuth(requireProvider(room.table, asked.integration));
  const { pending } = requireSealed(room, provider.title);
  const { account, user } = actor;
  if (!account || !user) throw refuse('not-allowed', 'A connection belongs to a user; begin it with the key or token of one.');
  const verifier = room.oauth.newVerifier();
  const { state, expiresAt } = await pending.add({ account, user, actor, verifier, ...asked });
  try {
    const url = await room.oauth.authorizationUrl(provider, { redirectUri: asked.redirectUri, state, verifier });
    return { url, state, expiresAt: expiresAt.toISOString() };
  } catch (error) {
    if (isHouseError(error)) throw error;
    const failure = providerFailure(error);
    room.log.warn({ integration: provider.name, failure }, 'a provider could not be discovered');
    throw unavailable('provider-away', `${provider.title} cannot be reached. Try again.`, 5_000);
  }
}
