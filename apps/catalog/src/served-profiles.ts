import type { Log } from '@skillgate/service-kit/log';
import type { Served, ServedStore } from './served-store.js';

/** Milliseconds that the memory of a replica counts without a look at the table; approvals come earlier, by `note`. */
const keptMs = 30_000;
/** Milliseconds between two questions to a registry that did not answer. */
const retryMs = 1_000;

/**
 * The profiles that an operator's approvals serve, as the registry told of them. An executor that is away serves what it
 * served: a catalog does not change with who is alive.
 */
export class ServedProfiles {
  private readonly known = new Map<string, Served>();
  private profiles: ReadonlySet<string> = new Set();
  private whole = false;
  private lookAgainAt = 0;
  private warned = false;
  private looking: Promise<void> | undefined;

  /** @param ask the registry for all that it has */
  constructor(
    private readonly store: Pick<ServedStore, 'all' | 'apply' | 'complete'>,
    private readonly ask: () => Promise<readonly Served[]>,
    private readonly log: Log,
  ) {}

  /** Undefined while that is unknown, which is not the same as none. @throws unavailable when the database is */
  async current(): Promise<ReadonlySet<string> | undefined> {
    if (Date.now() >= this.lookAgainAt) {
      this.looking ??= this.look().finally(() => (this.looking = undefined));
      await this.looking;
    }
    return this.whole ? this.profiles : undefined;
  }

  /** One line for the health of the service; empty when there is nothing to say. */
  detail(): string | undefined {
    return this.whole || this.lookAgainAt === 0 ? undefined : unknown;
  }

  /** For the table, by one replica. */
  async apply(served: Served): Promise<void> {
    await this.store.apply(served);
    this.note(served);
  }

  /** For the memory of this replica. */
  note(served: Served): void {
    const before = this.known.get(served.executor);
    if (before && before.approvedAt >= served.approvedAt) return;
    this.known.set(served.executor, served);
    this.profiles = new Set([...this.known.values()].flatMap(({ profiles }) => profiles));
  }

  private async look(): Promise<void> {
    const stored = await this.store.all();
    stored.served.forEach((one) => this.note(one));
    this.whole ||= stored.whole || (await this.begin());
    this.lookAgainAt = Date.now() + (this.whole ? keptMs : retryMs);
  }

  /** @returns whether the registry answered */
  private async begin(): Promise<boolean> {
    try {
      const told = await this.ask();
      await this.store.complete(told);
      told.forEach((one) => this.note(one));
      return true;
    } catch (err) {
      if (!this.warned) this.log.warn({ err }, `${unknown}; the registry is asked again with each turn`);
      this.warned = true;
      return false;
    }
  }
}

const unknown = 'the registry did not say yet which profiles are served, so no skill is withheld for that';
