import type { SkillPin } from '@skillgate/contracts/calls/catalog';
import type { Limits } from '@skillgate/contracts/entitlements';
import type { RouteStep } from '@skillgate/contracts/route';
import type { HistoryItem } from '@skillgate/prompt/history';

/** A turn as it is asked for. */
export interface NewTurn {
  turn: string;
  account: string;
  user: string;
  chat: string;
  model: string;
  plan: string;
  traceId: string;
  /** What is said in this turn; in a new chat the client's whole transcript. */
  items: HistoryItem[];
  /** What the account may use up; absent means no limit. */
  limits?: Limits;
  /** The gateway named an existing chat: it must be this account's. */
  stateful: boolean;
}

/** What a chat brings into its next turn. */
export interface ChatState {
  prefix: string | null;
  prefixHash: string | null;
  prefixTools: boolean | null;
  /** Slugs that the model was last told of; `always:<slug>` for those whose instructions it simply has. */
  announced: string[];
  pinned: SkillPin[];
  epoch: number;
  history: HistoryItem[];
}

/** The frozen part of a chat, written when an epoch begins or the model was told of a change. */
export type Prefix = Pick<ChatState, 'prefix' | 'prefixHash' | 'prefixTools' | 'announced' | 'epoch'>;

/** How many items of the chat and steps of the turn are committed. */
export interface Count {
  items: number;
  steps: number;
}

/** What a turn has made since its last commit. */
export interface Unsaved {
  items: HistoryItem[];
  steps: RouteStep[];
  chat: Partial<Prefix> & { pinned?: SkillPin[] };
}
