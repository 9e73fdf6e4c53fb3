import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { createPersona, listPersonas, personaView, retirePersona, updatePersona, type PersonaView } from '@skillgate/contracts/calls/personas';
import { listModels } from '@skillgate/contracts/calls/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';
import { skillSlug, skillStateEdit } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { findPersona, personaModel } from '../personas.js';
import { readJson } from '../read-json.js';
import { SIGNER } from '../tokens.js';
import { HouseCalls } from './house-calls.js';
import { NamedSkills } from './named-skills.js';
import { PathPart } from './path-part.js';

const { authority: _create, account: _of, ...written } = createPersona.input.shape;
const { authority: _update, account: _in, slug: _which, states: _states, ...rewritten } = updatePersona.input.shape;
const createBody = z.strictObject(written);
const updateBody = z.strictObject(rewritten);

const shown = personaView.omit({ policyEpoch: true }).extend({ modelId: z.string().describe('What to give as `model` to talk to it.') });
const changed = shown.extend({ warnings: z.array(z.string()) });
const listed = z.object({ personas: z.array(shown.omit({ instructions: true })) });

const Slug = () => Param('persona', new PathPart(skillSlug, 'unknown-persona'));
const edits = ['not-allowed', 'unknown-persona', 'unknown-skill', 'unknown-model', 'unknown-integration', 'invalid-body'];

@ApiTags('Personas')
@Controller('api/v1/personas')
export class PersonasController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(HouseCalls) private readonly house: HouseCalls,
    @Inject(NamedSkills) private readonly named: NamedSkills,
  ) {}

  @Get()
  @Allow('list-personas')
  @Operation({ summary: 'The personas of your account; each is a model id.', answer: listed })
  async list(@Caller() principal: Principal): Promise<z.infer<typeof listed>> {
    const { personas } = await this.house.read(listPersonas, principal, { account: principal.account });
    return { personas: personas.map((persona) => ({ ...seen(persona), modelId: personaModel(persona.slug) })) };
  }

  @Get(':persona')
  @Allow('list-personas')
  @Operation({ summary: 'One persona, with its instructions.', answer: shown, refusals: ['unknown-persona'] })
  async get(@Slug() slug: string, @Caller() principal: Principal): Promise<z.infer<typeof shown>> {
    return show((await findPersona(this.wire, this.signer, principal, slug)).persona);
  }

  @Post()
  @HttpCode(201)
  @Allow('create-persona')
  @Operation({
    summary: 'Makes a persona: words, a model, states of skills, and which connected systems it reaches.',
    description: 'Its slug is given once for good. It narrows what the account may use and never adds to it.',
    status: 201,
    body: createBody,
    answer: changed,
    refusals: [...edits, 'persona-taken', 'too-many-personas'],
  })
  async create(@Req() request: Request, @Caller() principal: Principal): Promise<z.infer<typeof changed>> {
    const body = await readJson(request, createBody, 'invalid-body');
    await this.check(principal, body);
    return this.answer(principal, await this.house.change(createPersona, principal, { account: principal.account, ...body }));
  }

  @Patch(':persona')
  @Allow('update-persona')
  @Operation({
    summary: 'Changes a persona; what is not named stays. `skills` replaces all of its states.',
    description: 'Chats that it answers in go on with its new words in a new epoch of their prompt.',
    body: updateBody,
    answer: changed,
    refusals: edits,
  })
  async update(@Slug() slug: string, @Req() request: Request, @Caller() principal: Principal): Promise<z.infer<typeof changed>> {
    const body = await readJson(request, updateBody, 'invalid-body');
    await this.check(principal, body);
    return this.answer(principal, await this.house.change(updatePersona, principal, { account: principal.account, slug, ...body }));
  }

  @Patch(':persona/skills')
  @Allow('update-persona')
  @Operation({
    summary: 'Changes states of single skills; null takes one back, what is not named stays. All of them are changed, or none.',
    body: skillStateEdit,
    answer: changed,
    refusals: [...edits, 'too-many-states'],
  })
  async skills(@Slug() slug: string, @Req() request: Request, @Caller() principal: Principal): Promise<z.infer<typeof changed>> {
    const states = await readJson(request, skillStateEdit, 'invalid-body');
    await this.named.require(principal, states);
    return this.answer(principal, await this.house.change(updatePersona, principal, { account: principal.account, slug, states }));
  }

  @Delete(':persona')
  @Allow('retire-persona')
  @Operation({ summary: 'Retires a persona for good; turns that run as it open nothing any more.', answer: shown, refusals: ['not-allowed', 'unknown-persona'] })
  async retire(@Slug() slug: string, @Caller() principal: Principal): Promise<z.infer<typeof shown>> {
    return show(await this.house.change(retirePersona, principal, { account: principal.account, slug }));
  }

  /** Accounts knows neither skills nor models: a persona with one that is not there would fail in its first turn. */
  private async check(principal: Principal, { skills = {}, model }: { skills?: object | undefined; model?: string | null | undefined }): Promise<void> {
    await this.named.require(principal, skills as Record<string, unknown>);
    if (model == null) return;
    const { models } = await this.wire.call(listModels, {});
    if (!models.some(({ id }) => id === model)) throw refuse('unknown-model', `There is no model "${model.slice(0, 100)}". GET /v1/models lists them.`, { param: 'model' });
  }

  private async answer(principal: Principal, persona: PersonaView): Promise<z.infer<typeof changed>> {
    return { ...show(persona), warnings: await this.named.warnings(principal, principal.account, persona.policyEpoch, persona.slug) };
  }
}

const seen = <P extends { policyEpoch: number }>({ policyEpoch: _epoch, ...persona }: P): Omit<P, 'policyEpoch'> => persona;
const show = (persona: PersonaView): z.infer<typeof shown> => ({ ...seen(persona), modelId: personaModel(persona.slug) });
