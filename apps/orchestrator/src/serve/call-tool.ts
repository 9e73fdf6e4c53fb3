import { randomUUID } from 'node:crypto';
import { Controller, Inject } from '@nestjs/common';
import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import { callTool } from '@skillgate/contracts/calls/orchestrator';
import { grantTool } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { isHouseError } from '@skillgate/contracts/refusal';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { permit } from '@skillgate/gating/permit';
import type { Verifier } from '@skillgate/service-kit/signing';
import type { CallContext } from '@skillgate/wire/call-context';
import { Serves } from '@skillgate/wire/serve';
import type { AcceptParts } from '../accept-turn.js';
import { PARTS } from '../parts.js';
import { TICKETS } from '../tickets.js';

/** Milliseconds beyond a tool's own limit, so that its executor can still say that it was reached. */
const lastWordMs = 1_000;

/** One tool, called by an operator: no chat, no model, and the registry's word for this call alone. */
@Controller()
export class CallTool {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(PARTS) private readonly parts: Pick<AcceptParts, 'wire' | 'ledgers'>,
  ) {}

  @Serves(callTool)
  async handle({ authority, account, tool, arguments: args }: CallParsedInput<typeof callTool>, { signal }: CallContext): Promise<CallAnswer<typeof callTool>> {
    await permit((token) => this.tickets.verify(token), authority, 'call-tool', { account });
    const { wire, ledgers } = this.parts;
    const [turn, chat, callId] = [randomUUID(), randomUUID(), randomUUID()];
    const asked = { authority, account, tool, turn, chat, callId, argumentsHash: argumentsHash(args) };
    const { grant, effect, timeoutMs } = await wire.call(grantTool, asked, { signal });
    await ledgers(grant.executor); // a call with a grant of its own is used up in it, also where it only reads
    const began = performance.now();
    const outcome = await wire
      .callTool(grant.executor, tool, { arguments: args }, { grant: grant.grant, callId, turnId: turn, deadlineMs: timeoutMs + lastWordMs, signal })
      .then(
        (result) => ({ result }),
        (error: unknown) => ({ error: told(error) }),
      );
    return { executor: grant.executor, effect, callId, turn, grant: grant.id, ms: Math.round(performance.now() - began), outcome };
  }
}

/** An operator sees what the executor said; what it did not mean to say is in its log. */
function told(error: unknown) {
  if (!isHouseError(error)) throw error;
  const { kind, slug, message, details } = error;
  return { kind, slug, message, ...(details && { details: { ...details } }) };
}
