import type { Link, Tracer } from '@opentelemetry/api';
import type { LoadedSkill, SkillDecision, CatalogEntry, SkillPin } from '@skillgate/contracts/calls/catalog';
import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import type { PersonaRef } from '@skillgate/contracts/tokens';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { ModelEntry } from '@skillgate/prompt/models';
import type { Log } from '@skillgate/service-kit/log';
import type { Wire } from '@skillgate/wire/wire';
import type { DecidedCall } from './approvals-store.js';
import type { CallLedgers } from './call-ledgers.js';
import type { HeldTools } from './held-tools.js';
import type { Journal } from './journal.js';
import type { Publications } from './publications.js';
import type { SearchChats } from './search-store.js';
import type { TokenMeter } from './token-meter.js';
import type { TurnPublisher } from './turn-publisher.js';
import type { NewTurn, Prefix, Spent } from './turn-records.js';
import type { WorkingCalls } from './working-calls.js';

/** Everything that the parts of one running turn have in common. */
export interface TurnContext {
  readonly turn: NewTurn;
  readonly ticket: string;
  readonly entry: ModelEntry;
  /** The model that answered last: the turn's own, or another one when that failed. */
  answering: ModelEntry;
  readonly wire: Pick<Wire, 'call' | 'callTool' | 'settleCall'>;
  readonly log: Log;
  readonly tracer: Tracer;
  readonly signal: AbortSignal;
  /** The same for what executors work on: they go on when another instance goes on with the turn. */
  readonly callSignal: AbortSignal;
  /** The turn goes on elsewhere: fires `signal`. */
  leave(reason: Error): void;
  readonly publisher: TurnPublisher;
  readonly held: HeldTools;
  readonly meter: TokenMeter;
  readonly working: WorkingCalls;
  readonly ledgers: CallLedgers;
  /** What was heard of skills that changed; absent where nobody listens. */
  readonly publications?: Publications;
  /** Searches what the turn's user said in earlier chats; absent where there is no store. */
  readonly chats?: Pick<SearchChats, 'search'>;
  /** Up to which of it the catalog was asked. */
  publicationsSeen?: number | undefined;
  /** By call id: what the user said of calls that needed a yes. */
  readonly decided: ReadonlyMap<string, DecidedCall>;
  /** What this attempt came of, where that is another trace. */
  readonly links?: readonly Link[];
  /** Does this account with this model use tools at all? */
  /** Tokens that the catalog of a new epoch may take. */
  readonly catalogBudget: number;
  toolsAllowed: boolean;
  entries: CatalogEntry[];
  /** The leading system message of this epoch, and its hash. */
  prefix: string;
  prefixHash: string | null;
  /** The same as the chat keeps it, with what the model was last told of; null until the turn is prepared. */
  frozen: Prefix | null;
  /** The policy epoch of the account on which all this was decided. */
  policyEpoch: number;
  /** What could be called when the model was last told of it. */
  grantedTools: OpenedTool[];
  withheld: SkillDecision[];
  /** Why each visible skill is visible. */
  decisions?: SkillDecision[] | undefined;
  /** What is worth a look, for people. */
  warnings?: string[] | undefined;
  /** As whom the model answered before this turn. */
  personaBefore?: PersonaRef | null;
  /** Skills whose instructions are in the context. */
  loaded: LoadedSkill[];
  /** What the chat loaded, in this turn and before, also what this turn may not use. */
  pinned: SkillPin[];
  readonly journal: Journal;
  /** Images of results, by artifact, as URLs that a model may look at. */
  readonly images: Map<string, string>;
  /** Text of the latest model call that no item of the history holds yet. */
  spoken: string;
  artifacts: ArtifactRef[];
  usage: Spent;
}
