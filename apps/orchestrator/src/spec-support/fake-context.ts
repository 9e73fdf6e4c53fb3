import { trace } from '@opentelemetry/api';
import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import { makeLog } from '@skillgate/service-kit/log';
import { HeldTools } from '../held-tools.js';
import { Journal, type JournalStore } from '../journal.js';
import { TokenMeter } from '../token-meter.js';
import type { TurnContext } from '../turn-context.js';
import { TurnPublisher } from '../turn-publisher.js';
import { WorkingCalls } from '../working-calls.js';
import { modelOf, turnOf } from './facts.js';
import type { FakeWire } from './fake-wire.js';

export interface FakeTurn {
  context: TurnContext;
  abort: AbortController;
  /** Everything that was published. */
  published: TurnMessage['body'][];
  /** Lines of the log, as text. */
  logged: string[];
}

/** A turn over a fake wire: what is written goes to `store`, which takes everything unless a test gives another. */
export function fakeTurn({ wire }: Pick<FakeWire, 'wire'>, change: Partial<TurnContext> = {}, store: JournalStore = takesAll): FakeTurn {
  const abort = new AbortController();
  const published: TurnMessage['body'][] = [];
  const logged: string[] = [];
  const log = makeLog('orchestrator', 'trace', { write: (line: string) => void logged.push(line) });
  const turn = change.turn ?? turnOf();
  const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, usd: 0 };
  const context: TurnContext = {
    turn,
    ticket: 'the.signed.ticket',
    entry: modelOf(),
    answering: modelOf(),
    wire,
    log,
    tracer: trace.getTracer('spec'),
    signal: abort.signal,
    callSignal: abort.signal,
    leave: (reason) => abort.abort(reason),
    publisher: new TurnPublisher(({ body }) => void published.push(body), 1, (error) => log.error({ err: error }, 'lost')),
    held: new HeldTools(wire, 'the.signed.ticket', abort.signal),
    meter: new TokenMeter(log),
    working: new WorkingCalls(),
    ledgers: async () => undefined,
    decided: new Map(),
    catalogBudget: 6_000,
    images: new Map(),
    toolsAllowed: true,
    entries: [],
    prefix: 'Be good.',
    prefixHash: null,
    frozen: null,
    policyEpoch: 0,
    grantedTools: [],
    withheld: [],
    loaded: [],
    pinned: [],
    journal: new Journal(store, turn, [...turn.items], usage),
    spoken: '',
    artifacts: [],
    usage,
    ...change,
  };
  return { context, abort, published, logged };
}

const takesAll: JournalStore = { append: async () => undefined, end: async () => undefined, release: async () => true, suspend: async () => ({ askedAt: new Date(), until: new Date() }) };
