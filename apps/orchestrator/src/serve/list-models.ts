import { Controller, Inject } from '@nestjs/common';
import { listModels } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { modelEntry } from '@skillgate/prompt/models';
import { Serves } from '@skillgate/wire/serve';
import type { AcceptParts } from '../accept-turn.js';
import { PARTS } from '../parts.js';

@Controller()
export class ListModels {
  constructor(@Inject(PARTS) private readonly parts: AcceptParts) {}

  /** What this installation serves: the models of its one endpoint that the operator named. */
  @Serves(listModels)
  async handle(): Promise<CallAnswer<typeof listModels>> {
    const id = this.parts.config.SKILLGATE_MODEL;
    const { contextTokens, usesTools } = modelEntry(this.parts.models, id);
    return { models: [{ id, contextTokens, usesTools }], default: id };
  }
}
