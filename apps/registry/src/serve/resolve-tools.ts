import { Controller } from '@nestjs/common';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ResolveTools } from '../resolve-tools.js';

@Controller()
export class ServeResolveTools {
  constructor(private readonly tools: ResolveTools) {}

  @Serves(resolveTools)
  resolveTools(shown: CallParsedInput<typeof resolveTools>): Promise<CallAnswer<typeof resolveTools>> {
    return this.tools.resolve(shown);
  }
}
