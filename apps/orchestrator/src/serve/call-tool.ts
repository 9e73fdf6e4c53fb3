import { Controller, Inject } from '@nestjs/common';
import { callTool } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { isHouseError } from '@skillgate/contracts/refusal';
import { maxMessageBytes } from '@skillgate/wire/body';
import type { CallContext } from '@skillgate/wire/call-context';
import { Serves } from '@skillgate/wire/serve';
import type { AcceptParts } from '../accept-turn.js';
import { PARTS } from '../parts.js';

/** Milliseconds beyond a tool's own limit, so that its executor can still say that it was reached. */
const lastWordMs = 1_000;

/** One tool, without chat or model, under a grant that names this call: its executor checks it, as it does all. */
@Controller()
export class CallTool {
  constructor(@Inject(PARTS) private readonly parts: Pick<AcceptParts, 'wire' | 'ledgers' | 'working'>) {}

  @Serves(callTool)
  async handle({ grant, tool, arguments: args, callId, turn, timeoutMs }: CallParsedInput<typeof callTool>, { signal }: CallContext): Promise<CallAnswer<typeof callTool>> {
    const { wire, ledgers, working } = this.parts;
    await ledgers(grant.executor); // a call with a grant of its own is used up in it, also where it only reads
    const began = performance.now();
    const options = { grant: grant.grant, callId, turnId: turn, deadlineMs: timeoutMs + lastWordMs, signal };
    // Nobody reads its progress; that its executor fell silent ends it all the same.
    const here = { turn, executor: grant.executor, publisher: { progress: () => undefined } };
    const outcome = await working.during(callId, here, () => wire.callTool(grant.executor, tool, { arguments: args }, options)).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: told(error) }),
    );
    const ms = Math.round(performance.now() - began);
    return { ms, outcome: fits(outcome) ? outcome : { error: tooLarge } };
  }
}

/** Bytes of the answer beside its outcome, generously. */
const aroundBytes = 256;

const fits = (outcome: unknown): boolean => Buffer.byteLength(JSON.stringify(outcome)) <= maxMessageBytes - aroundBytes;

/** Its executor is at fault, and the call itself went well. */
const tooLarge = {
  kind: 'breach' as const,
  slug: 'reply-too-large',
  message:
    `The executor answered with more than ${maxMessageBytes - aroundBytes} bytes, which cannot be shown. The tool may have done its work: ` +
    'check before you call it again. Its executor should store big results as artifacts.',
};

/** An operator sees what the executor said; what it did not mean to say is in its log. */
function told(error: unknown) {
  if (!isHouseError(error)) throw error;
  const { kind, slug, message, details } = error;
  return { kind, slug, message, ...(details && { details: { ...details } }) };
}
