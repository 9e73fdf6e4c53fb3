import { Controller, Get, Inject, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { listPersonas } from '@skillgate/contracts/calls/personas';
import { listModels } from '@skillgate/contracts/calls/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { personaModel } from '../personas.js';
import { mintAuthority } from '../ticket.js';
import { SIGNER } from '../tokens.js';
import { modelCard, modelList } from './chat-answers.js';

type ModelCard = z.infer<typeof modelCard>;

@ApiTags('OpenAI-compatible')
@Controller('v1/models')
@Allow('read-own-account')
export class ModelsController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
  ) {}

  @Get()
  @Operation({ summary: 'Lists the models, the default one first, and behind them the personas of your account.', answer: modelList, errors: 'VendorError' })
  async list(@Caller() principal: Principal): Promise<z.infer<typeof modelList>> {
    return { object: 'list', data: await this.cards(principal) };
  }

  @Get(':model')
  @Operation({ summary: 'One model.', answer: modelCard, errors: 'VendorError', refusals: ['unknown-model'] })
  async get(@Param('model') model: string, @Caller() principal: Principal): Promise<ModelCard> {
    const found = (await this.cards(principal)).find(({ id }) => id === model);
    if (!found) throw refuse('unknown-model', `There is no model "${model.slice(0, 100)}". GET /v1/models lists them.`);
    return found;
  }

  private async cards(principal: Principal): Promise<ModelCard[]> {
    const authority = await mintAuthority(this.signer, principal);
    const [{ models, default: first }, { personas }] = await Promise.all([
      this.wire.call(listModels, {}),
      this.wire.call(listPersonas, { authority, account: principal.account }),
    ]);
    const ids = [...models.map(({ id }) => id), ...personas.map(({ slug }) => personaModel(slug))];
    // `created` is required by the vendor's shape; no provider tells us when its model was made.
    return [...ids.filter((id) => id === first), ...ids.filter((id) => id !== first)].map((id) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: 'skillgate',
    }));
  }
}
