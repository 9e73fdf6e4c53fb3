import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { Call, CallInput, CallOutput } from '@skillgate/contracts/define-call';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { z } from 'zod';
import { Authenticator } from '../access/authenticate.js';
import { mintAuthority } from '../ticket.js';
import { SIGNER } from '../tokens.js';

type Authorised<C> = Omit<CallInput<C>, 'authority'>;

/** Calls in the name of who asks: each carries the roles under the gateway's signature, and the callee decides by them once more. */
@Injectable()
export class HouseCalls {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
  ) {}

  async read<I extends z.ZodType, O extends z.ZodType>(
    call: Call<I, O>,
    principal: Principal,
    input: Authorised<Call<I, O>>,
  ): Promise<CallOutput<Call<I, O>>> {
    const authority = await mintAuthority(this.signer, principal);
    return this.wire.call(call, { ...input, authority } as CallInput<Call<I, O>>) as Promise<CallOutput<Call<I, O>>>;
  }

  /** After it the next request sees what was changed, whoever sends it here. */
  async change<I extends z.ZodType, O extends z.ZodType>(
    call: Call<I, O>,
    principal: Principal,
    input: Authorised<Call<I, O>>,
  ): Promise<CallOutput<Call<I, O>>> {
    try {
      return await this.read(call, principal, input);
    } finally {
      this.authenticator.forget(); // also when the word of it was lost on the way
    }
  }
}
