import type { ClientTool, ToolChoice } from '@skillgate/contracts/calls/orchestrator';
import type { SkillPin } from '@skillgate/contracts/calls/catalog';
import type { PersonaRef } from '@skillgate/contracts/tokens';
import type { TurnPersona } from './turn-persona.js';
import type { Limits } from '@skillgate/contracts/entitlements';
import type { Recognition, RouteStep } from '@skillgate/contracts/route';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { SkillStates, ToolEffect } from '@skillgate/contracts/words';
import type { HistoryCall, HistoryItem } from '@skillgate/prompt/history';
import type { Compacted } from './visible-history.js';

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
  /** 1 at the beginning, one more with each takeover: what is written under another one than the row's is refused. */
  attempt: number;
  /** As whom the model answers. */
  persona?: TurnPersona;
  /** For whoever has to take the turn over; without it, it can only be ended. */
  request?: TurnRequest;
  /** Another turn that has begun with this key answers in its place. */
  idempotency?: { key: string; digest: string };
}

/** Sums over a turn. `usd` by the prices of the models that answered; of those without prices, nothing. */
export type Spent = TurnOutcome['usage'] & { usd: number };

/** What the client had before this turn's answer, by its hash, and how its chat was found. */
export type Transcript = Recognition & { hash: string; after?: string | undefined };

export interface TurnRequest {
  ticket: string;
  sampling: Record<string, unknown>;
  persona?: TurnPersona;
  /** Tools that the client runs itself. */
  clientTools?: readonly ClientTool[];
  toolChoice?: ToolChoice;
  /** Of a stateless client; see transcripts-store.ts. */
  transcript?: Transcript;
  /** Skill states that the turn was asked with: its next ticket has them too. */
  overrides?: SkillStates;
  /** Of the span that accepted the turn: later attempts hang under it. */
  spanId?: string;
}

/** A call with effects that is about to be sent: whoever takes the turn over asks its executor what became of it. */
export interface Intent {
  /** Its id on the wire. Another one than the history's when an earlier sending was settled as never run. */
  sentAs: string;
  executor: string;
  tool: string;
  effect: ToolEffect;
  profile: string;
  skill: string;
  /** Its user approved it: its grant is for this id, so that it is sent again as it was, and its executor runs it once. */
  approved?: true;
}

/** A model's answer with calls that is being worked on. It is written down before the first call with effects is sent. */
export interface OpenRound {
  text: string;
  calls: HistoryCall[];
  /** By call id. */
  intents: Record<string, Intent>;
  /** All text of the turn that was said until its calls began to wait for their user. */
  said?: string;
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
  /** What models read in place of its beginning. */
  compacted?: Compacted | null;
  /** As whom the model answered last; absent for nobody. */
  persona?: PersonaRef | null;
}

/** The frozen part of a chat, written when an epoch begins or the model was told of a change. */
export type Prefix = Pick<ChatState, 'prefix' | 'prefixHash' | 'prefixTools' | 'announced' | 'epoch' | 'persona'>;

/** How many items of the chat and steps of the turn are committed. */
export interface Count {
  items: number;
  steps: number;
}

/** What a turn has made since its last commit. */
export interface Unsaved {
  items: HistoryItem[];
  steps: RouteStep[];
  chat: Partial<Prefix> & { pinned?: SkillPin[]; compacted?: Compacted };
  /** Null: the round is among the items now. Absent: as it was. */
  round?: OpenRound | null;
  usage?: Spent;
}
