import { context as active, trace, type Tracer } from '@opentelemetry/api';
import type { IncomingMessage, startTurn } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { HistoryItem } from '@skillgate/prompt/history';
import { type ModelEntry, modelEntry, type Models } from '@skillgate/prompt/models';
import type { Log } from '@skillgate/service-kit/log';
import type { Wire } from '@skillgate/wire/wire';
import type { ActiveTurns } from './active-turns.js';
import { attachmentsOf } from './attachments.js';
import { HeldTools } from './held-tools.js';
import { Journal } from './journal.js';
import { keepLease } from './keep-lease.js';
import { runTurn, type TurnParts } from './run-turn.js';
import type { TurnContext } from './turn-context.js';
import { TurnPublisher } from './turn-publisher.js';
import type { ChatState, NewTurn, TurnStore } from './turn-store.js';

export interface AcceptParts extends Omit<TurnParts, 'sampling'> {
  readonly models: Models;
  readonly store: TurnStore;
  readonly turns: ActiveTurns;
  readonly wire: Wire;
  readonly log: Log;
  readonly tracer: Tracer;
}

type Input = CallParsedInput<typeof startTurn>;

/** Writes the user's message down, says so, and runs the turn on: the acknowledgement takes one commit. */
export async function acceptTurn(parts: AcceptParts, ticket: TicketClaims, input: Input): Promise<CallAnswer<typeof startTurn>> {
  const { turn, chat } = ticket;
  if (!turn || !chat) throw refuse('ticket-invalid', 'This ticket names no turn. Ask the gateway for one that does.');
  const model = input.model ?? parts.config.SKILLGATE_MODEL;
  const entry = entryOf(parts, model);
  const said = await itemsOf(parts.wire, input);
  const span = parts.tracer.startSpan('accept_turn', { attributes: { 'skillgate.turn.id': turn, 'gen_ai.conversation.id': chat } });
  const { account, user } = ticket;
  const { traceId } = span.spanContext();
  const row: NewTurn = { turn, account, user, chat, model, plan: entry.plan, traceId, items: said, stateful: input.stateful };
  // The span ends at once and parents what follows, so that a crash of the turn leaves nobody without a parent.
  const state = await parts.store.begin(row).finally(() => span.end());
  active.with(trace.setSpan(active.active(), span), () => begin(parts, row, input, entry, state));
  return { turn, chat, model };
}

function begin(parts: AcceptParts, turn: NewTurn, input: Input, entry: ModelEntry, chat: ChatState): void {
  const { wire, log, tracer, turns, store, config } = parts;
  const publisher = new TurnPublisher((message) => wire.publishTurn(turn.turn, message), 1);
  publisher.progress({ stage: 'accepted', message: 'The turn has begun' });
  turns.start(turn.turn, async (abort) => {
    const lease = keepLease(store, turn, abort, log);
    const late = setTimeout(() => abort.abort(timeLimit(config.SKILLGATE_TURN_MS)), config.SKILLGATE_TURN_MS);
    const { signal } = abort;
    const context: TurnContext = {
      turn,
      ticket: input.ticket,
      entry,
      wire,
      log,
      tracer,
      signal,
      publisher,
      held: new HeldTools(wire, input.ticket, signal),
      journal: new Journal(store, turn, chat.history),
      toolsAllowed: false,
      entries: [],
      prefix: '',
      prefixHash: null,
      withheld: [],
      loaded: [],
      artifacts: [],
    };
    await runTurn(context, { ...parts, sampling: input.sampling }, chat);
    clearTimeout(late);
    lease.stop();
  });
}

const timeLimit = (ms: number): Error => unavailable('turn-limit-time', `This turn reached its limit of ${ms / 1000} s. Ask for a smaller piece.`);

function entryOf({ models, config }: AcceptParts, model: string): ModelEntry {
  if (model !== config.SKILLGATE_MODEL && !models.entries.has(model)) {
    throw refuse('unknown-model', `There is no model "${model}" here. GET /v1/models lists what there is.`);
  }
  const entry = modelEntry(models, model);
  return config.SKILLGATE_PLAN ? { ...entry, plan: config.SKILLGATE_PLAN } : entry;
}

/** The messages as history, the last user message with its attachments named and the day's facts before it. */
async function itemsOf(wire: Wire, { ticket, messages, artifacts }: Input): Promise<HistoryItem[]> {
  const last = messages.at(-1);
  if (last?.role !== 'user') throw refuse('empty-conversation', 'The last message must be the user\'s. Put the question at the end of "messages".');
  const attached = await attachmentsOf(wire, ticket, artifacts);
  const before = messages.slice(0, -1).map(itemOf);
  return [...before, { kind: 'facts', text: `Today is ${new Date().toISOString().slice(0, 10)} (UTC).` }, withAttachments(last, attached)];
}

function itemOf({ role, content }: IncomingMessage): HistoryItem {
  if (role === 'user') return { kind: 'user', content };
  const text = typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return role === 'assistant' ? { kind: 'assistant', text, calls: [] } : { kind: 'notice', text };
}

function withAttachments({ content }: IncomingMessage, attached: string): HistoryItem {
  if (!attached) return { kind: 'user', content };
  if (typeof content === 'string') return { kind: 'user', content: `${content}\n\n${attached}` };
  return { kind: 'user', content: [...content, { type: 'text', text: attached }] };
}
