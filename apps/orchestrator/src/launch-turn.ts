import type { ModelEntry } from '@skillgate/prompt/models';
import type { Log } from '@skillgate/service-kit/log';
import type { PolicyEpochs } from '@skillgate/service-kit/policy-epochs';
import type { Link, Tracer } from '@opentelemetry/api';
import type { Wire } from '@skillgate/wire/wire';
import type { ActiveTurns } from './active-turns.js';
import type { CallLedgers } from './call-ledgers.js';
import { timeLimit } from './close-at-limit.js';
import { HeldTools } from './held-tools.js';
import { stopsCalls } from './leave-turn.js';
import { Journal } from './journal.js';
import { cancelledByUser, keepLease } from './keep-lease.js';
import { runTurn } from './run-turn.js';
import type { Publications } from './publications.js';
import { TokenMeter } from './token-meter.js';
import type { TurnContext } from './turn-context.js';
import type { TurnParts } from './turn-parts.js';
import { TurnPublisher } from './turn-publisher.js';
import type { SearchChats } from './search-store.js';
import type { TakenTurn } from './takeover-store.js';
import type { ChatState, NewTurn } from './turn-records.js';
import type { TurnStore } from './turn-store.js';
import type { WorkingCalls } from './working-calls.js';

export interface LaunchParts extends Omit<TurnParts, 'sampling'> {
  readonly store: TurnStore;
  readonly turns: ActiveTurns;
  readonly working: WorkingCalls;
  readonly epochs: PolicyEpochs;
  readonly ledgers: CallLedgers;
  readonly publications?: Publications;
  readonly chats?: Pick<SearchChats, 'search'>;
  readonly wire: Wire;
  readonly log: Log;
  readonly tracer: Tracer;
}

export interface Launch {
  readonly turn: NewTurn;
  readonly ticket: string;
  readonly entry: ModelEntry;
  readonly sampling: TurnParts['sampling'];
  readonly chat: ChatState;
  /** The commit that begins the turn. */
  readonly begun: Promise<void>;
  /** What an earlier attempt has left in the journal. */
  readonly taken?: TakenTurn;
  readonly links?: readonly Link[];
}

/** Lets a turn run on by itself, within its time and as long as its lease is held. */
export function launchTurn(parts: LaunchParts, launch: Launch): void {
  const { turn, sampling, chat, begun, taken } = launch;
  const { store, log, config } = parts;
  const leftMs = Math.max(config.SKILLGATE_TURN_MS - (taken?.ageMs ?? 0), 0);
  parts.turns.start(turn.turn, async (abort) => {
    const lease = begun.then(() => keepLease(store, turn, abort, log, config.SKILLGATE_LEASE_MS)); // before the commit there is none to renew
    const late = setTimeout(() => abort.abort(timeLimit(config.SKILLGATE_TURN_MS)), leftMs);
    if (taken?.cancelRequested) abort.abort(cancelledByUser());
    try {
      const context = contextOf(parts, launch, abort);
      await runTurn(context, { ...parts, sampling }, chat, begun, taken);
    } finally {
      clearTimeout(late);
      lease.then(({ stop }) => stop(), () => undefined);
    }
  });
}

function contextOf({ wire, log, tracer, store, working, ledgers, publications, chats, epochs, config }: LaunchParts, launch: Launch, abort: AbortController): TurnContext {
  const { signal } = abort;
  const { turn, ticket, entry, chat, taken, links } = launch;
  const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, usd: 0, ...taken?.usage };
  const onLost = (error: unknown) => log.error({ err: error, turn: turn.turn }, 'a message of a turn was not published');
  return {
    turn,
    ticket,
    entry,
    answering: entry,
    wire,
    log,
    tracer,
    signal,
    callSignal: stopsCalls(signal),
    leave: (reason) => abort.abort(reason),
    working,
    ledgers,
    ...(publications && { publications }),
    ...(chats && { chats }),
    decided: taken?.approvals ?? new Map(),
    ...(links && { links }),
    publisher: new TurnPublisher((message) => wire.publishTurn(turn.turn, message), turn.attempt, onLost),
    held: new HeldTools(wire, ticket, signal, () => epochs.newest(turn.account)),
    meter: new TokenMeter(log),
    journal: new Journal(store, turn, chat.history, usage, taken?.steps, chat.compacted),
    images: new Map(),
    catalogBudget: config.SKILLGATE_CATALOG_TOKENS,
    toolsAllowed: false,
    entries: [],
    prefix: '',
    prefixHash: null,
    frozen: null,
    policyEpoch: 0,
    grantedTools: [],
    withheld: [],
    loaded: [],
    pinned: chat.pinned,
    spoken: '',
    artifacts: (taken?.steps ?? []).flatMap((step) => (step.kind === 'tool' ? step.artifacts : [])),
    usage,
  };
}
