import { Controller, Get, Inject, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { listModels } from '@skillgate/contracts/calls/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';
import { Wire } from '@skillgate/wire/wire';
import type { z } from 'zod';
import { Allow } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { modelCard, modelList } from './chat-answers.js';

type ModelCard = z.infer<typeof modelCard>;

@ApiTags('OpenAI-compatible')
@Controller('v1/models')
@Allow('read-own-account')
export class ModelsController {
  constructor(@Inject(Wire) private readonly wire: Wire) {}

  @Get()
  @Operation({ summary: 'Lists the models, the default one first.', answer: modelList, errors: 'VendorError' })
  async list(): Promise<z.infer<typeof modelList>> {
    return { object: 'list', data: await this.cards() };
  }

  @Get(':model')
  @Operation({ summary: 'One model.', answer: modelCard, errors: 'VendorError', refusals: ['unknown-model'] })
  async get(@Param('model') model: string): Promise<ModelCard> {
    const found = (await this.cards()).find(({ id }) => id === model);
    if (!found) throw refuse('unknown-model', `There is no model "${model.slice(0, 100)}". GET /v1/models lists them.`);
    return found;
  }

  private async cards(): Promise<ModelCard[]> {
    const { models, default: first } = await this.wire.call(listModels, {});
    const ids = models.map(({ id }) => id);
    // `created` is required by the vendor's shape; no provider tells us when its model was made.
    return [...ids.filter((id) => id === first), ...ids.filter((id) => id !== first)].map((id) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: 'skillgate',
    }));
  }
}
