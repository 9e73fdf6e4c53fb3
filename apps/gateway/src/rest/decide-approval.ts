import type { Principal } from '@skillgate/contracts/calls/accounts';
import { type Approval, decideApproval, getApproval } from '@skillgate/contracts/calls/orchestrator';
import { mintCallGrant } from '@skillgate/contracts/calls/registry';
import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import { refuse } from '@skillgate/contracts/refusal';
import type { Signer } from '@skillgate/service-kit/signing';
import { mintTicket } from '../ticket.js';
import type { HouseCalls } from './house-calls.js';

export type Said = { kind: 'approve' } | { kind: 'edit'; arguments: Record<string, unknown> } | { kind: 'deny'; reason?: string };

/**
 * Brings what a user said of a call to where it counts: a yes first to the registry, which makes a grant for exactly that call, then
 * to its turn, with a ticket under which the turn goes on.
 *
 * @throws refusals of the three calls; `invalid-body` for arguments that cannot be kept as they are
 */
export async function decide(house: HouseCalls, signer: Signer, principal: Principal, id: string, said: Said): Promise<{ approval: Approval; pending: number }> {
  if (said.kind === 'edit') requireStorable(said.arguments);
  // Whatever the turn would refuse an edit for is refused before the registry hears of it.
  const edit = said.kind === 'edit' ? said.arguments : undefined;
  const { approval, offer, overrides, persona } = await house.read(getApproval, principal, { approval: id, ...(edit && { edit }) });
  const { chat, turn, callId, status } = approval;
  if (status !== 'pending') throw refuse('approval-decided', `This call is ${status} already; nothing was changed.`, { status });
  const hash = edit ? argumentsHash(edit) : approval.argumentsHash;
  const minted = said.kind === 'deny' ? null : await house.read(mintCallGrant, principal, { offer, callId, argumentsHash: hash });
  const ticket = await mintTicket(signer, principal, { chat, turn, overrides, ...(persona && { persona }) });
  const decision = said.kind === 'deny' ? said : { ...said, grant: minted!.grant };
  return house.read(decideApproval, principal, { ticket, approval: id, decision });
}

/** What the journal cannot keep would run as something else than was approved. */
function requireStorable(args: Record<string, unknown>): void {
  JSON.stringify(args, (name, value: unknown) => {
    for (const text of [name, value]) {
      if (typeof text !== 'string' || (text.isWellFormed() && !text.includes('\0'))) continue;
      throw refuse('invalid-body', 'The arguments hold a NUL or half a surrogate pair, which cannot be kept. Leave it out.', { param: 'arguments' });
    }
    return value;
  });
}
