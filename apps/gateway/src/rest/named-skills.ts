import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { explainSkills, listSkills } from '@skillgate/contracts/calls/catalog';
import { isUnavailable, refuse } from '@skillgate/contracts/refusal';
import { holds } from '@skillgate/gating/may';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import { mintAuthority } from '../ticket.js';
import { SIGNER } from '../tokens.js';

/** What is set of skills must name skills that are there: a setting for another would be accepted and never do anything. */
@Injectable()
export class NamedSkills {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
  ) {}

  /**
   * Refuses `unknown-skill`, with each of them by name. What is taken back, with null, need not be there.
   *
   * @param about.param the field that names them
   * @param about.hidden operators may name hidden skills, in locks; for everybody else those are as unknown as any other word
   */
  async require(principal: Principal, edit: Readonly<Record<string, unknown>>, { hidden = false, param }: { hidden?: boolean; param?: string } = {}): Promise<void> {
    const wanted = Object.entries(edit).flatMap(([slug, state]) => (state === null ? [] : [slug]));
    if (wanted.length === 0) return;
    const known = await this.known(principal, hidden && holds(principal.roles, 'operator'));
    const unknown = wanted.filter((slug) => !known.has(slug));
    if (unknown.length > 0) throw refuse('unknown-skill', `There is no skill ${unknown.map((slug) => `"${slug}"`).join(', ')} here; nothing was done.`, { skills: unknown, ...(param && { param }) });
  }

  /** What the catalog has to say of an account's skills after a change, for people. */
  async warnings(principal: Principal, account: string, minEpoch: number, persona?: string): Promise<string[]> {
    const own = account === principal.account;
    return this.warningsBy(await mintAuthority(this.signer, principal), { minEpoch, ...(!own && { account }), ...(persona && { persona }) });
  }

  /** The same for whatever an authority of ours names: a chat, for one. */
  async warningsBy(ticket: string, asked: object = {}): Promise<string[]> {
    try {
      return (await this.wire.call(explainSkills, { ticket, ...asked })).warnings ?? [];
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return ['The change is made. The catalog did not answer whether it is wise; ask GET /api/v1/explain later.'];
    }
  }

  private async known(principal: Principal, all: boolean): Promise<ReadonlySet<string>> {
    if (all) return new Set((await this.wire.call(listSkills, {})).skills.map(({ slug }) => slug));
    const { skills } = await this.wire.call(explainSkills, { ticket: await mintAuthority(this.signer, principal) });
    return new Set(skills.map(({ slug }) => slug));
  }
}
