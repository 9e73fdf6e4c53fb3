import { context as active } from '@opentelemetry/api';
import type { startTurn } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { isUnavailable, refuse } from '@skillgate/contracts/refusal';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { type ModelEntry, modelEntry, type Models } from '@skillgate/prompt/models';
import { attachmentsOf } from './attachments.js';
import { checkClientTools } from './client-tools.js';
import { incomingItems } from './incoming-items.js';
import { cancelledByUser } from './keep-lease.js';
import { type LaunchParts, launchTurn } from './launch-turn.js';
import { checkOptions, droppedOptions } from './request-options.js';
import { inSpan } from './spans.js';
import { personaOf } from './turn-persona.js';
import type { ChatState, NewTurn } from './turn-records.js';

export interface AcceptParts extends LaunchParts {
  readonly models: Models;
}

type Input = CallParsedInput<typeof startTurn>;

/**
 * Writes the user's message down, says so, and runs the turn on: the acknowledgement takes one commit.
 *
 * @param caller aborted when the caller waits no more
 */
export async function acceptTurn(parts: AcceptParts, ticket: TicketClaims, input: Input, caller: AbortSignal): Promise<CallAnswer<typeof startTurn>> {
  const { account, user, turn, chat, limits } = ticket;
  if (!turn || !chat) throw refuse('ticket-invalid', 'This ticket names no turn. Ask the gateway for one that does.');
  // Before the commit as well: who is retired, or has a model that is gone, begins nothing.
  const { model: ownModel = null, ...persona } = ticket.persona ? await personaOf(parts.wire, input.ticket, ticket.persona) : {};
  const seenAs = 'id' in persona ? { persona } : {};
  const model = input.model ?? ownModel ?? parts.config.SKILLGATE_MODEL;
  const entry = entryOf(parts, model);
  const { sampling, clientTools = [], toolChoice } = input;
  checkClientTools(clientTools);
  checkOptions(sampling, toolChoice, clientTools.length, entry);
  // Before the commit and not beside it: a file that is not there refuses the turn.
  const attached = await attachmentsOf(parts.wire, input.ticket, input.artifacts, caller);
  const items = incomingItems(input.messages, attached, new Date());
  caller.throwIfAborted();
  // The span ends at once and parents what follows, so that a crash of the turn leaves nobody without a parent.
  const before = await inSpan(parts, 'accept_turn', { 'skillgate.turn.id': turn, 'gen_ai.conversation.id': chat }, async (span) => {
    const { traceId, spanId } = span.spanContext();
    const more = { ...(clientTools.length > 0 && { clientTools }), ...(toolChoice !== undefined && { toolChoice }), ...(input.transcript && { transcript: input.transcript }) };
    const request = { ticket: input.ticket, sampling, overrides: ticket.overrides, spanId, ...more, ...seenAs };
    const row: NewTurn = { turn, account, user, chat, model, plan: entry.plan, traceId, items, limits, stateful: input.stateful, attempt: 1, request, ...(input.idempotency && { idempotency: input.idempotency }), ...seenAs };
    const launch = (state: ChatState) => launchTurn(parts, { turn: row, ticket: input.ticket, entry, sampling, chat: state, begun });
    const placed = parts.store.begin(row, active.bind(active.active(), launch));
    const begun: Promise<void> = placed.then(() => undefined);
    begun.catch(() => undefined); // heard below
    return placed;
  });
  if (before) return { ...before, replayed: true };
  // Who gave the question up knows of no turn; whose deadline passed asks again, or cancels it.
  if (caller.aborted && !isUnavailable(caller.reason, 'deadline-passed')) parts.turns.cancel(turn, cancelledByUser());
  const dropped = droppedOptions(sampling, entry);
  return { turn, chat, model, ...(dropped.length > 0 && { dropped }) };
}

/** Refuses `unknown-model`. */
export function entryOf(parts: Pick<AcceptParts, 'models' | 'config'>, model: string): ModelEntry {
  const { models, config } = parts;
  if (model !== config.SKILLGATE_MODEL && !models.entries.has(model)) {
    throw refuse('unknown-model', `There is no model "${model}" here. GET /v1/models lists what there is.`);
  }
  const entry = modelEntry(models, model);
  return config.SKILLGATE_PLAN ? { ...entry, plan: config.SKILLGATE_PLAN } : entry;
}
