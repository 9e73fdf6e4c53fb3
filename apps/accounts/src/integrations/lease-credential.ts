import { registryPublicKeys } from '@skillgate/contracts/calls/registry';
import type { leaseCredential as contract, LeasedCredential } from '@skillgate/contracts/calls/integrations';
import type { CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { grantClaims, type GrantClaims } from '@skillgate/contracts/tokens';
import { makeVerifier, requireAudience, type Verifier } from '@skillgate/service-kit/signing';
import type { Wire } from '@skillgate/wire/wire';
import { leaseOf, type Credential } from './credential.js';
import { requireSealed, type IntegrationsRoom } from './integrations-room.js';
import type { Provider } from './provider-table.js';
import { leasable, mustReconnect, RenewCredential, tokensOf } from './renew-credential.js';
import { requireProvider } from './view-integration.js';

type Asked = CallParsedInput<typeof contract>;

/** A credential for an executor that shows a grant of its own which names the integration. */
export class LeaseCredential {
  private readonly grants: Verifier<GrantClaims>;
  private readonly renewal?: RenewCredential;

  constructor(
    private readonly room: IntegrationsRoom,
    wire: Pick<Wire, 'call'>,
  ) {
    const fetchKeys = () => wire.call(registryPublicKeys, {});
    this.grants = makeVerifier({ issuer: 'registry', typ: 'grant', schema: grantClaims, fetchKeys });
    if (room.sealed) this.renewal = new RenewCredential(room, room.sealed);
  }

  /** Resolves when no renewal runs here. */
  idle = async (): Promise<void> => this.renewal?.idle();

  /** @param caller proven by the broker, so that a grant is of no use to whom it was not given */
  async lease({ grant, integration, rejected }: Asked, caller: string | undefined): Promise<LeasedCredential> {
    if (!caller) throw new Error('the call came without a proven caller');
    const claims = await this.grants.verify(grant);
    requireAudience(claims, caller);
    if (!claims.integrations?.includes(integration)) {
      throw refuse(
        'integration-not-granted',
        `None of the tools that this grant opens works with "${integration.slice(0, 64)}", so nothing is leased for it.`,
      );
    }
    const provider = requireProvider(this.room.table, integration);
    const { credentials } = requireSealed(this.room, provider.title);
    const { account, user } = claims;
    const held = leasable(await credentials.standing(account, integration, user), provider);
    const good = await this.renewed(provider, held, user, rejected);
    this.room.log.debug({ account, integration, executor: caller, renewed: good !== held }, 'a credential was leased');
    return leased(good);
  }

  private async renewed(provider: Provider, held: Credential, user: string, rejected: string | undefined): Promise<Credential> {
    const isRejected = rejected === leaseOf(held);
    if (provider.kind !== 'oauth2') {
      if (isRejected) await this.refused(provider, held);
      return held;
    }
    const { renewAt, refreshToken } = tokensOf(held);
    if (isRejected && !refreshToken) await this.refused(provider, held);
    return isRejected || (renewAt !== undefined && renewAt <= Date.now()) ? this.renewal!.renew(provider, held, user) : held;
  }

  /** The provider refused what cannot be renewed: told once, to whoever can connect it again. */
  private async refused(provider: Provider, held: Credential): Promise<never> {
    const why = `${provider.title} does not accept what it was connected with any more. Connect it again.`;
    const { account, integration } = held;
    const told = await this.room.integrations.expire(held, 'revoked', why, { service: 'accounts', roles: [] });
    if (told) this.room.log.warn({ account, integration }, 'an integration must be connected again: its credential was refused');
    throw mustReconnect(provider, why);
  }
}

function leased(credential: Credential): LeasedCredential {
  const { kind, secret, scopes } = credential;
  const about = { lease: leaseOf(credential), kind, scopes: [...scopes] };
  if ('fields' in secret) return { ...about, fields: { ...secret.fields } };
  const { accessToken, expiresAt } = secret.tokens;
  return { ...about, accessToken, ...(expiresAt && { expiresAt }) };
}
