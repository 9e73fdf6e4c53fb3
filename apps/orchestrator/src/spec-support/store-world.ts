import type { RouteStep } from '@skillgate/contracts/route';
import type { HistoryItem } from '@skillgate/prompt/history';
import { inAccount } from '@skillgate/store/account-scope';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase } from '@skillgate/testing/with-database';
import type { DataSource } from 'typeorm';
import type { TurnFacts } from '../entities.js';
import { orchestratorStore } from '../store-definition.js';
import type { ChatState, Count, NewTurn, Unsaved } from '../turn-records.js';
import { lapsedTurns, type TakenTurn, takeTurn } from '../takeover-store.js';
import { TurnStore } from '../turn-store.js';
import { outcomeOf, turnOf } from './facts.js';

export const noFacts: TurnFacts = { visible: [], withheld: [], tokens: { base: 0, catalog: 0, loaded: 0, tools: 0, conversation: 0, monolith: 0 }, catalogHash: null };
export const said = (text: string): HistoryItem => ({ kind: 'assistant', text, calls: [] });
export const stepOf = (finish: string): RouteStep => ({ kind: 'model', ms: 1, inputTokens: null, outputTokens: null, cachedTokens: null, finish });

/** The next turn of a chat, not begun yet. */
export const nextOf = ({ account, user, chat }: NewTurn, change: Partial<NewTurn> = {}): NewTurn => ({ ...turnOf({ account, user, chat, stateful: true }), ...change });

export interface StoreWorld {
  store: TurnStore;
  /** For another replica. */
  definition: typeof orchestratorStore & { url: string };
  dataSource: DataSource;
  begin(turn: NewTurn): Promise<ChatState>;
  /** A turn that has begun, in a chat of its own unless `change` says otherwise. */
  begun(change?: Partial<NewTurn>): Promise<NewTurn>;
  /** Appends behind `from`; what is not given is empty. */
  append(turn: NewTurn, from: Count, made: Partial<Unsaved & { facts: TurnFacts }>): Promise<void>;
  /** Ends a turn, behind its own first items unless told otherwise. */
  end(turn: NewTurn, from?: Count, items?: HistoryItem[], outcome?: ReturnType<typeof outcomeOf>): Promise<void>;
  sql<T>(account: string, text: string, values: unknown[]): Promise<T[]>;
  /** Takes the lease away, as time would. */
  lapse(turn: Pick<NewTurn, 'account' | 'turn'>): Promise<unknown>;
  /** Turns of all accounts that lost their instance. */
  lapsed(): Promise<string[]>;
  /** Takes a turn over, for 15 s. */
  take(turn: Pick<NewTurn, 'turn' | 'account'>): Promise<TakenTurn | null>;
  /** Numbers of the chat's items. */
  numbers(turn: NewTurn): Promise<number[]>;
  close(): Promise<void>;
}

/** The room's store on a database of its own. */
export async function startStore(): Promise<StoreWorld> {
  const database = await withDatabase();
  const definition = { ...orchestratorStore, url: await database.migrate(orchestratorStore) };
  const dataSource = await openStore({ ...definition, pool: { max: 4 } });
  const store = new TurnStore(dataSource);
  const sql: StoreWorld['sql'] = (account, text, values) => inAccount(dataSource, account, (manager) => manager.query(text, values));
  const begin = async (turn: NewTurn): Promise<ChatState> => {
    let chat: ChatState | undefined;
    await store.begin(turn, (state) => (chat = state));
    return chat as ChatState;
  };
  return {
    store,
    definition,
    dataSource,
    begin,
    sql,
    async begun(change) {
      const turn = turnOf(change);
      await begin(turn);
      return turn;
    },
    append: (turn, from, made) => store.append(turn, from, { items: [], steps: [], chat: {}, facts: noFacts, ...made }),
    end: (turn, from = { items: turn.items.length, steps: 0 }, items = [said('Done.')], outcome = outcomeOf()) =>
      store.end(turn, from, { items, steps: [], chat: {}, outcome, facts: noFacts }),
    lapse: ({ account, turn }) => sql(account, `UPDATE turns SET lease_until = now() - interval '1 second' WHERE id = $1`, [turn]),
    lapsed: async () => (await lapsedTurns(dataSource, 100)).map(({ turn }) => turn),
    take: (turn) => takeTurn(dataSource, turn, 15_000),
    numbers: async ({ account, chat }) => (await sql<{ seq: number }>(account, 'SELECT seq FROM chat_items WHERE chat = $1 ORDER BY seq', [chat])).map(({ seq }) => seq),
    async close() {
      await dataSource.destroy();
      await database.close();
    },
  };
}
