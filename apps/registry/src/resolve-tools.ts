import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { HeldGrant, resolveTools } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { CONFIG } from '@skillgate/service-kit/inject';
import type { Signer } from '@skillgate/service-kit/signing';
import { AccountActivation } from './account-activation.js';
import { baseAsking } from './base-asking.js';
import type { RegistryConfig } from './config.js';
import { grantClaims, type TurnTicket } from './grant-claims.js';
import type { Opening } from './open-tools.js';
import { signOffer } from './offer.js';
import type { Profiles } from './profiles.js';
import { shownSchema } from './shown-schema.js';
import { ShownTokens } from './shown-tokens.js';
import { PROFILES, SIGNER } from './inject.js';

/** Ticket and receipts in; what they open, what they do not and why, and the grants out. */
@Injectable()
export class ResolveTools {
  constructor(
    private readonly tokens: ShownTokens,
    private readonly accounts: AccountActivation,
    @Inject(PROFILES) private readonly profiles: Profiles,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(CONFIG) private readonly config: RegistryConfig,
  ) {}

  async resolve(shown: CallParsedInput<typeof resolveTools>): Promise<CallAnswer<typeof resolveTools>> {
    const ticket = await this.tokens.ticket(shown.ticket);
    const receipts = await this.tokens.receipts(shown.receipts, ticket);
    const minEpoch = Math.max(ticket.policyEpoch, shown.minEpoch ?? 0, ...receipts.map((receipt) => receipt.policyEpoch));
    const askings = shown.base ? [baseAsking(ticket), ...receipts] : receipts;
    const { activation, entitlements } = await this.accounts.of(ticket.account, minEpoch, askings, ticket.persona);
    const { policyEpoch } = entitlements;
    if (!entitlements.capabilities.includes('tools')) {
      throw refuse('tools-not-allowed', 'This account has plain chat only; move it to a tier that includes tools.', { policyEpoch });
    }
    const { openings, profiles, withheld } = activation;
    const grants = await this.grant(openings, ticket, policyEpoch);
    const tools = openings.map(async (opening) => {
      if (opening.policy === 'allow') return describe(opening);
      return { ...describe(opening), offer: await signOffer(this.signer, opening, ticket) };
    });
    return { tools: await Promise.all(tools), profiles: [...profiles], grants, withheld: [...withheld], policyEpoch };
  }

  private grant(openings: readonly Opening[], ticket: TurnTicket, policyEpoch: number): Promise<HeldGrant[]> {
    const times = { now: Math.floor(Date.now() / 1000), life: this.config.SKILLGATE_GRANT_SECONDS };
    const integrationsOf = ({ profile, tool }: Opening['tool']): readonly string[] => {
      const home = this.profiles.get(profile);
      return home ? this.profiles.integrationsOf(home, tool) : [];
    };
    return Promise.all(
      grantClaims(openings, ticket, policyEpoch, times, randomUUID, integrationsOf).map(async (claims) => ({
        executor: claims.aud,
        grant: await this.signer.sign(claims),
        id: claims.jti,
        expiresAt: claims.exp * 1000,
      })),
    );
  }
}

function describe({ tool, receipt, policy }: Opening): CallAnswer<typeof resolveTools>['tools'][number] {
  const { tool: name, ownName, description, profile, effect, executor, timeoutMs } = tool;
  const skill = `${receipt.skill}@${receipt.version}`;
  return { name, description, inputSchema: shownSchema(tool), profile, effect, executor, timeoutMs, skill, policy, ...(ownName !== name && { ownName }) };
}
