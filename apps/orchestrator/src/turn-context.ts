import type { Tracer } from '@opentelemetry/api';
import type { LoadedSkill, SkillDecision, CatalogEntry } from '@skillgate/contracts/calls/catalog';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { ModelEntry } from '@skillgate/prompt/models';
import type { Log } from '@skillgate/service-kit/log';
import type { Wire } from '@skillgate/wire/wire';
import type { HeldTools } from './held-tools.js';
import type { Journal } from './journal.js';
import type { TurnPublisher } from './turn-publisher.js';
import type { NewTurn } from './turn-store.js';

/** Everything that the parts of one running turn have in common. */
export interface TurnContext {
  readonly turn: NewTurn;
  readonly ticket: string;
  readonly entry: ModelEntry;
  readonly wire: Wire;
  readonly log: Log;
  readonly tracer: Tracer;
  readonly signal: AbortSignal;
  readonly publisher: TurnPublisher;
  readonly held: HeldTools;
  /** Does this account with this model use tools at all? */
  toolsAllowed: boolean;
  entries: CatalogEntry[];
  /** The leading system message of this epoch, and its hash. */
  prefix: string;
  prefixHash: string | null;
  withheld: SkillDecision[];
  /** Skills whose instructions are in the context, in load order. */
  loaded: LoadedSkill[];
  readonly journal: Journal;
  artifacts: ArtifactRef[];
}
