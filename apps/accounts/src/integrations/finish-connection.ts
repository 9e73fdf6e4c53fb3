import type { finishConnection as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { isHouseError, refuse, unavailable, type HouseError } from '@skillgate/contracts/refusal';
import { isConnectable, requireSealed, type IntegrationsRoom } from './integrations-room.js';
import type { OAuthProvider } from './provider-table.js';
import { providerFailure, safeCode } from './provider-error.js';
import { grantedScopes, tokenSet } from './token-set.js';
import { requireOAuth, requireProvider, viewIntegration } from './view-integration.js';

type Landed = Omit<CallParsedInput<typeof contract>, 'authority'>;

/**
 * What the provider sent to the redirect URI, for tokens.
 *
 * @param asker the user of the browser, where that is known
 */
export async function finishConnection(
  room: IntegrationsRoom,
  landed: Landed,
  asker?: { account?: string; user?: string },
): Promise<CallAnswer<typeof contract>> {
  const { pending, credentials } = requireSealed(room, 'This integration');
  const begun = await pending.take(landed.state, ({ account, user }) => !asker || (asker.account === account && asker.user === user));
  if (!begun)
    throw refuse('connection-unknown', 'This sign-in was finished already, is older than ten minutes, or is not yours. Begin again.');
  const { account, integration, actor } = begun;
  const provider = requireOAuth(requireProvider(room.table, integration));
  if (landed.error) throw denied(provider, landed.error);
  if (!landed.code) throw refuse('connection-failed', `${provider.title} sent neither a code nor an error. Begin again.`);

  const asked = Date.now();
  const { answer, label } = await exchange(room, provider, begun, landed);
  const scopes = grantedScopes(answer.scope, provider.scopes);
  const secret = { tokens: tokenSet(answer, asked) };
  await room.integrations.connect(account, actor, { integration, kind: 'oauth2', secret, scopes, label });
  const standing = await credentials.standing(account, integration, begun.user);
  room.log.info(
    { account, integration, scopes: scopes.length, renewable: answer.refresh_token !== undefined },
    'an integration was connected',
  );
  const state = {
    status: standing?.status ?? 'disconnected',
    by: begun.user,
    at: new Date(asked),
    scopes,
    label,
    why: null,
    credential: standing?.credential !== undefined,
  } as const;
  return { account, ...viewIntegration(provider, state, isConnectable(room, provider)) };
}

async function exchange(room: IntegrationsRoom, provider: OAuthProvider, begun: { redirectUri: string; verifier: string }, landed: Landed) {
  const url = new URL(begun.redirectUri);
  url.search = new URLSearchParams({ code: landed.code!, state: landed.state, ...(landed.iss && { iss: landed.iss }) }).toString();
  try {
    return await room.oauth.exchange(provider, url, { state: landed.state, verifier: begun.verifier });
  } catch (error) {
    if (isHouseError(error)) throw error;
    const failure = providerFailure(error);
    room.log.warn({ integration: provider.name, failure }, 'a code was not taken for tokens');
    if (failure.kind === 'denied') throw denied(provider, failure.code);
    // The code is used up or as good as that: another try needs a new one.
    if (failure.kind === 'away')
      throw unavailable('provider-away', `${provider.title} gave no usable answer (${failure.why}). Begin again.`, 5_000);
    const code = failure.kind === 'refused' ? failure.code : 'invalid_grant';
    throw refuse(
      'connection-failed',
      `${provider.title} did not take the code (${code}). Begin again; if that fails too, ask the operator.`,
    );
  }
}

const denied = (provider: OAuthProvider, code: string): HouseError =>
  refuse('connection-denied', `${provider.title} was not connected: ${safeCode(code)}. Begin again and agree, if that was a mistake.`);
