import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor, AuditAction } from '@skillgate/contracts/audit';
import type { HeldGrant } from '@skillgate/contracts/calls/registry';
import type { GrantClaims } from '@skillgate/contracts/tokens';
import type { Signer } from '@skillgate/service-kit/signing';
import type { ApprovedTool } from './approved-tool.js';
import { CallGrantsStore } from './call-grants-store.js';
import { PROFILES, SIGNER } from './inject.js';
import type { Profiles } from './profiles.js';

/** One call that somebody with the right to it said yes to. */
export interface GrantedCall extends Pick<GrantClaims, 'account' | 'user' | 'chat' | 'turn' | 'policyEpoch'> {
  readonly tool: ApprovedTool;
  /** `slug@version#digest` of the skill that opened the tool, or who called it without one. */
  readonly openedBy: string;
  readonly callId: string;
  readonly argumentsHash: string;
  /** Seconds that the grant lives from now. */
  readonly seconds: number;
}

/** The only place that signs a grant for one call. It stands in the audit log before it can run. */
@Injectable()
export class IssueCallGrant {
  constructor(
    private readonly granted: CallGrantsStore,
    @Inject(PROFILES) private readonly profiles: Profiles,
    @Inject(SIGNER) private readonly signer: Signer,
  ) {}

  /** @param action as the call that granted it is named */
  async issue({ tool, openedBy, callId, argumentsHash, seconds, ...whose }: GrantedCall, actor: Actor, action: AuditAction): Promise<HeldGrant> {
    const now = Math.floor(Date.now() / 1000);
    const profile = this.profiles.get(tool.profile);
    const integrations = profile ? this.profiles.integrationsOf(profile, tool.tool) : [];
    const claims: GrantClaims = {
      ...{ iss: 'registry', typ: 'grant', aud: tool.executor, ...whose },
      tools: { [tool.ownName]: openedBy },
      ...(integrations.length > 0 && { integrations: [...integrations] }),
      call: { id: callId, argumentsHash },
      ...{ iat: now, exp: now + seconds, jti: randomUUID() },
    };
    await this.granted.record({ account: whose.account, turn: whose.turn, callId, argumentsHash, tool: tool.tool, grant: claims.jti }, actor, action);
    return { executor: tool.executor, grant: await this.signer.sign(claims), id: claims.jti, expiresAt: claims.exp * 1000 };
  }
}
