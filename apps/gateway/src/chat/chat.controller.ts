import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../access/access-guard.js';
import { correlationIdOf } from '../identify-request.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { NamedSkills } from '../rest/named-skills.js';
import { TURN_HOUSE } from '../tokens.js';
import { awaitTurn } from './await-turn.js';
import { chatCompletion } from './chat-answers.js';
import { completion, completionHead } from './chat-chunks.js';
import { chatRequest } from './chat-request.js';
import { idempotencyOf } from './idempotency-key.js';
import { openTurn } from './open-turn.js';
import { resumeTurn } from './resume-turn.js';
import { runTurn } from './run-turn.js';
import { streamTurn } from './stream-turn.js';
import type { TurnHouse } from './turn-house.js';

@ApiTags('OpenAI-compatible')
@Controller('v1/chat/completions')
@Allow('use-own')
export class ChatController {
  constructor(
    @Inject(TURN_HOUSE) private readonly house: TurnHouse,
    @Inject(NamedSkills) private readonly named: NamedSkills,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: { type: 'string' },
    description: 'For a day, the same key with the same body is the same request: the turn that it began answers, also while it runs. Per user.',
  })
  @Operation({
    summary: 'Runs one turn and answers it, whole or as an event stream.',
    description:
      "Works with any OpenAI client. With `stream: true` the answer is `text/event-stream`: chunks of the vendor's shape " +
      'with SSE ids, comments as signs of life, then `data: [DONE]`; a failed turn ends with `{"error": …}` instead. ' +
      'The headers `x-skillgate-turn` and `x-skillgate-chat` name both. A client that was cut off reads on with ' +
      '`GET /api/v1/turns/{turn}/stream` and the last id it received; the turn of a client that does not come back in 15 s ' +
      '(the operator may set another time) is cancelled, at once where the answer was asked for whole. A turn whose calls need the ' +
      "user's approval ends the answer with `finish_reason` `stop` and a text that says what waits; `skillgate.waiting` has the calls with " +
      'their exact arguments. It goes on when the user has decided: see `/api/v1/approvals`. `tools` of your own are offered beside those of the platform: their ' +
      'calls come back with `finish_reason` `tool_calls`, and the next request brings their results. Options that the model does not take ' +
      'are named in `x-skillgate-dropped`; without `response_format` or a demanded tool call no other answer is given in their place (400).',
    body: chatRequest,
    answer: chatCompletion,
    errors: 'VendorError',
    refusals: [
      ...['invalid-request', 'malformed-json', 'empty-conversation', 'unknown-model', 'unknown-chat', 'unknown-skill'],
      ...['unsupported-option', 'tool-name-reserved', 'unknown-tool-call', 'idempotency-key-reused'],
      ...['turn-in-progress', 'turn-cancelled', 'body-too-large', 'message-too-large', 'unsupported-media-type'],
      ...['turns-a-day-reached', 'tokens-a-day-reached', 'parallel-turns-reached'],
    ],
  })
  async complete(@Req() request: Request, @Res() response: Response, @Caller() principal: Principal): Promise<void> {
    const asked = await readJson(request, chatRequest, 'invalid-request');
    await this.named.require(principal, asked.skillgate?.skills ?? {}, { param: 'skillgate.skills' });
    const idempotency = idempotencyOf(request, asked);
    const opened = await openTurn(this.house, principal, asked, { idempotency });
    const { turn, chat, model, listening, dropped, replayed } = opened;
    // Who waits for a whole answer has not been told the turn's id: with a key it comes back all the same.
    const graceMs = asked.stream || idempotency ? this.house.config.SKILLGATE_CANCEL_GRACE_MS : 0;
    const { events, close } = replayed
      ? await resumeTurn(this.house, principal, turn, null)
      : { events: runTurn(this.house, principal, listening, { graceMs }), close: listening.close };
    response.once('close', close);
    if (response.destroyed) close(); // the client left while the turn was being started
    if (replayed) response.setHeader('idempotent-replayed', 'true');
    response.setHeader('x-skillgate-turn', turn);
    response.setHeader('x-skillgate-chat', chat);
    if (dropped.length > 0) response.setHeader('x-skillgate-dropped', dropped.join(', '));
    if (asked.stream) {
      await streamTurn(response, events, {
        turn,
        chat,
        model,
        includeUsage: asked.stream_options?.include_usage ?? false,
        progress: asked.skillgate?.progress ?? false,
        correlationId: correlationIdOf(response),
        stallMs: this.house.config.SKILLGATE_STREAM_STALL_MS,
        onError: (error) => this.house.log.error({ err: error, turn }, 'a stream ended with an error'),
      });
      return;
    }
    const awaited = await awaitTurn(events);
    if (!awaited) return;
    const { outcome, waiting } = awaited;
    response.json(completion(completionHead(turn, model), outcome, { turn, chat, artifacts: outcome.artifacts, ...(waiting && { waiting }), ...(dropped.length > 0 && { dropped }) }));
  }
}
