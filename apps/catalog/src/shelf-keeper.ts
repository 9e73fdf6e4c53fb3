import { shelfOf, type Shelf } from './shelf.js';
import type { SkillStore } from './skill-store.js';

/** Milliseconds after which another replica's publication is noticed. */
const freshMs = 1_000;

/** Keeps the shelf in memory, and as new as the store within a second. */
export class ShelfKeeper {
  private revision: string | undefined;
  private shelf: Shelf = new Map();
  private checkedAt = 0;
  private checking: Promise<Shelf> | undefined;

  constructor(private readonly store: Pick<SkillStore, 'revision' | 'all' | 'updatePolicies'>) {}

  /** Errors: `unavailable` when the store is; a shelf that may be wrong is not served. */
  async current(): Promise<Shelf> {
    if (this.revision !== undefined && Date.now() - this.checkedAt < freshMs) return this.shelf;
    this.checking ??= this.check().finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  /** The same by a look at the store that begins now. */
  async lookAgain(): Promise<Shelf> {
    await this.checking?.catch(() => undefined); // one under way may have looked before
    this.checkedAt = 0;
    return this.current();
  }

  private async check(): Promise<Shelf> {
    const at = Date.now();
    const revision = await this.store.revision();
    // Read after the revision: what is published in between makes the next look read again, not never.
    if (revision !== this.revision) this.shelf = shelfOf(await this.store.all(), await this.store.updatePolicies());
    this.revision = revision;
    this.checkedAt = at;
    return this.shelf;
  }
}
