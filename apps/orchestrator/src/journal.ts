import type { SkillPin } from '@skillgate/contracts/calls/catalog';
import type { RouteStep } from '@skillgate/contracts/route';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { HistoryItem } from '@skillgate/prompt/history';
import type { AskedCall } from './approvals-store.js';
import { changedFacts, type FactsChange } from './changed-facts.js';
import type { TurnFacts } from './entities.js';
import { patiently } from './patiently.js';
import type { Count, NewTurn, OpenRound, Prefix, Spent, Unsaved } from './turn-records.js';
import type { TurnStore, Wait } from './turn-store.js';
import { type Compacted, visibleOf } from './visible-history.js';

type Write = (from: Count, unsaved: Unsaved, change: FactsChange) => Promise<void>;

export type JournalStore = Pick<TurnStore, 'append' | 'end' | 'release' | 'suspend'>;

/**
 * A turn's growing record, and how much of it is committed. Items and steps are only ever appended. Commits run one behind the
 * other, and what one could not write goes with the next.
 */
export class Journal {
  readonly steps: RouteStep[];
  private prefix: Prefix | undefined;
  private pinned: SkillPin[] | undefined;
  private shortened: Compacted | undefined;
  private round: OpenRound | null | undefined;
  private saved: Count;
  /** As the turn's row has them; null while it may have none, or those of an earlier attempt. */
  private facts: TurnFacts | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: JournalStore,
    private readonly turn: NewTurn,
    /** The whole chat, the user's new message included, which is committed already. */
    readonly history: HistoryItem[],
    /** Sums over the turn; whoever takes it over goes on counting from what the last commit had. */
    readonly usage: Spent,
    /** Those that an earlier attempt has committed. */
    steps: readonly RouteStep[] = [],
    /** What stands in place of the beginning of the history. */
    public compacted: Compacted | null = null,
  ) {
    this.steps = [...steps];
    this.saved = { items: history.length, steps: steps.length };
  }

  /** The history as a model reads it. */
  get visible(): HistoryItem[] {
    return visibleOf(this.history, this.compacted);
  }

  /** From now on models read this in place of the beginning; goes with the next commit. */
  compact(compacted: Compacted): void {
    this.compacted = compacted;
    this.shortened = compacted;
  }

  /** The chat's prefix for this epoch; it goes with the next commit, since a commit of its own would make the user wait. */
  freeze(prefix: Prefix): void {
    this.prefix = prefix;
  }

  /** The chat remembers these skills from the next commit on. */
  pin(pins: SkillPin[]): void {
    this.pinned = pins;
  }

  /** This round is being worked on; goes with the next commit. */
  openRound(round: OpenRound): void {
    this.round = round;
  }

  /** Its items are in the history now. */
  closeRound(): void {
    this.round = null;
  }

  /** One commit for all that happened since the last one. @throws refusal `turn-not-held`; unavailable while the database is away */
  save(facts: TurnFacts): Promise<void> {
    return this.behindTheLast(facts, (from, unsaved, change) => this.store.append(this.turn, from, { ...unsaved, facts: change.facts }, change.amend));
  }

  /** The last one. Throws as `save` does. */
  end(outcome: TurnOutcome, facts: TurnFacts): Promise<void> {
    return this.behindTheLast(facts, (from, unsaved, change) => this.store.end(this.turn, from, { ...unsaved, outcome, facts: change.facts }, change.amend));
  }

  /** The last one of an attempt whose calls wait for their user. @returns since when and until when, and throws as `save` does */
  async suspend(asked: readonly AskedCall[], facts: TurnFacts): Promise<Wait> {
    let wait: Wait | undefined;
    await this.behindTheLast(facts, async (from, unsaved, change) => {
      wait = await this.store.suspend(this.turn, from, { ...unsaved, facts: change.facts }, asked, change.amend);
    });
    return wait!; // written, or the line above has thrown
  }

  /** Lets whoever looks next take the turn over at once. What no commit holds yet is done again there. */
  async release(): Promise<void> {
    await this.last.catch(() => undefined);
    await this.store.release(this.turn);
  }

  private behindTheLast(facts: TurnFacts, write: Write): Promise<void> {
    const commit = () => this.commit(facts, write);
    const done = this.last.then(commit, commit);
    this.last = done;
    return done;
  }

  private async commit(facts: TurnFacts, write: Write): Promise<void> {
    const { saved, prefix, pinned, round, usage, shortened } = this;
    const to = { items: this.history.length, steps: this.steps.length };
    const chat = { ...prefix, ...(pinned && { pinned }), ...(shortened && { compacted: shortened }) };
    const unsaved = { items: this.history.slice(saved.items), steps: this.steps.slice(saved.steps), chat, usage: { ...usage }, ...(round !== undefined && { round }) };
    const change = changedFacts(this.facts, facts);
    await patiently(() => write(saved, unsaved, change));
    this.facts = facts;
    this.saved = to;
    if (this.prefix === prefix) this.prefix = undefined;
    if (this.pinned === pinned) this.pinned = undefined;
    if (this.round === round) this.round = undefined;
    if (this.shortened === shortened) this.shortened = undefined;
  }
}
