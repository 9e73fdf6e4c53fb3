import { Injectable } from '@nestjs/common';
import type { approveManifest, withdrawApproval } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { Actor } from '@skillgate/contracts/audit';
import { refuse } from '@skillgate/contracts/refusal';
import { permit } from '@skillgate/gating/permit';
import { Announcements, type LivingInstance } from './announcements.js';
import { ApprovalsStore } from './approvals-store.js';
import type { JudgedTool } from './judge-tool.js';
import { ShownTokens } from './shown-tokens.js';

type Asked = CallParsedInput<typeof approveManifest>;

/** An operator's yes to exactly these manifests: all of them, or none. */
@Injectable()
export class ApproveManifest {
  constructor(
    private readonly announcements: Announcements,
    private readonly approvals: ApprovalsStore,
    private readonly tokens: ShownTokens,
  ) {}

  async approve({ authority, executor, tools }: Asked): Promise<CallAnswer<typeof approveManifest>> {
    const actor = await permit((token) => this.tokens.anyTicket(token), authority, 'approve-manifest');
    const living = this.announcements.living(executor);
    if (living.length === 0) throw refuse('unknown-executor', `No executor "${executor}" is announcing itself; start it, then approve.`);
    const chosen = tools.map((asked) => announcedExactly(asked, executor, living));
    const names = await this.approvals.approve(
      executor,
      { actor, by: nameOf(actor) },
      chosen.map(({ name: ownName, profile, effect, schemaDigest, description, inputSchema, timeoutMs }) => ({
        ...{ ownName, profile, effect, schemaDigest, description, inputSchema, timeoutMs },
      })),
    );
    const renamed = chosen.flatMap(({ name }, at) => (names[at] === name ? [] : [{ name, shownAs: names[at]! }]));
    return { approved: chosen.map((tool) => tool.name), ...(renamed.length > 0 && { renamed }) };
  }

  /** Approvals that no longer hold: also of an executor that is away. */
  async withdraw({ authority, executor, tools }: CallParsedInput<typeof withdrawApproval>): Promise<CallAnswer<typeof withdrawApproval>> {
    const actor = await permit((token) => this.tokens.anyTicket(token), authority, 'approve-manifest');
    const standing = await this.approvals.all();
    const missing = tools.find(({ name, schemaDigest }) => !standing.some((row) => row.executor === executor && row.ownName === name && row.schemaDigest === schemaDigest));
    if (missing) throw refuse('not-approved', `No approval of "${executor}" for "${missing.name}" has that digest; look at its manifest again.`, { tool: missing.name });
    await this.approvals.withdraw(executor, { actor, by: nameOf(actor) }, tools);
    return { withdrawn: tools.map(({ name }) => name) };
  }
}

/** As the signed ticket has it; what the caller says of itself counts for nothing. */
const nameOf = ({ user, key, subject }: Actor): string => `user ${user}${key ? ` with key ${key}` : ''}${subject ? ` as ${subject}` : ''}`;

/** The manifest that the operator saw, as some living instance announces it now. */
function announcedExactly({ name, schemaDigest }: Asked['tools'][number], executor: string, living: readonly LivingInstance[]): JudgedTool {
  const announced = living.flatMap(({ tools }) => tools.filter((tool) => tool.name === name));
  const exact = announced.find((tool) => tool.schemaDigest === schemaDigest);
  if (!exact) {
    const now = [...new Set(announced.map((tool) => tool.schemaDigest))];
    const message = `"${executor}" does not announce "${name}" with that digest now; look at its manifest again.`;
    throw refuse('manifest-changed', message, { tool: name, now });
  }
  if (exact.fault) throw refuse(exact.fault.slug, `"${name}" cannot be approved: ${exact.fault.reason.replace(/\.+$/, '')}.`);
  return exact;
}
