import { Controller } from '@nestjs/common';
import { listTools } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ListTools } from '../list-tools.js';

@Controller()
export class ServeListTools {
  constructor(private readonly tools: ListTools) {}

  @Serves(listTools)
  listTools(asked: CallParsedInput<typeof listTools>): Promise<CallAnswer<typeof listTools>> {
    return this.tools.list(asked);
  }
}
