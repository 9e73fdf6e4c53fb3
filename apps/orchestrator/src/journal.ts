import type { SkillPin } from '@skillgate/contracts/calls/catalog';
import type { RouteStep } from '@skillgate/contracts/route';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { HistoryItem } from '@skillgate/prompt/history';
import type { TurnFacts } from './entities.js';
import type { NewTurn, Prefix, TurnStore, Unsaved } from './turn-store.js';

/** A turn's growing record, and how much of it is committed. Items and steps are only ever appended. */
export class Journal {
  readonly steps: RouteStep[] = [];
  private prefix: Prefix | undefined;
  private pinned: SkillPin[] | undefined;
  private saved: { items: number; steps: number };

  constructor(
    private readonly store: TurnStore,
    private readonly turn: NewTurn,
    /** The whole chat, the user's new message included, which is committed already. */
    readonly history: HistoryItem[],
  ) {
    this.saved = { items: history.length, steps: 0 };
  }

  /** The chat's prefix for this epoch; it goes with the next commit, since a commit of its own would make the user wait. */
  freeze(prefix: Prefix): void {
    this.prefix = prefix;
  }

  /** The chat remembers these skills from the next commit on. */
  pin(pins: SkillPin[]): void {
    this.pinned = pins;
  }

  /** One commit for all that happened since the last one. */
  async save(facts: TurnFacts): Promise<void> {
    await this.store.append(this.turn, this.saved, { ...this.unsaved(), facts });
    this.mark();
  }

  async end(outcome: TurnOutcome, facts: TurnFacts): Promise<void> {
    await this.store.end(this.turn, this.saved, { ...this.unsaved(), outcome, facts });
    this.mark();
  }

  private unsaved(): Unsaved {
    const { prefix, pinned } = this;
    return { items: this.history.slice(this.saved.items), steps: this.steps.slice(this.saved.steps), chat: { ...prefix, ...(pinned && { pinned }) } };
  }

  private mark(): void {
    this.saved = { items: this.history.length, steps: this.steps.length };
    this.prefix = undefined;
    this.pinned = undefined;
  }
}
