import { policyRaised } from '@skillgate/contracts/events/accounts';
import type { Wire } from '@skillgate/wire/wire';
import { LRUCache } from 'lru-cache';
import type { Log } from './log.js';

/** Accounts that are remembered. One that is forgotten is as one never heard of: what it may do ends with its grants. */
const remembered = 10_000;

/** The newest policy epoch that this instance has heard of, for each account: what was decided on an older one is outdated. */
export class PolicyEpochs {
  readonly #newest: LRUCache<string, number>;

  constructor(max = remembered) {
    this.#newest = new LRUCache({ max });
  }

  /** Of two words the higher one counts, in whatever order they come. @returns whether it was news */
  raise(account: string, policyEpoch: number): boolean {
    if (policyEpoch <= this.newest(account)) return false;
    this.#newest.set(account, policyEpoch);
    return true;
  }

  /** 0 for an account that was not heard of. */
  newest(account: string): number {
    return this.#newest.get(account) ?? 0;
  }
}

/**
 * Keeps `epochs` up with what accounts tells. Resolves when it hears, or while there is nothing to hear yet. A broker that
 * forbids it is a mistake of its configuration, told in the log: grants still end after their time, only later.
 */
export async function watchPolicy(wire: Pick<Wire, 'watch'>, epochs: PolicyEpochs, log: Pick<Log, 'error'>): Promise<{ close(): void }> {
  const watching = wire.watch(policyRaised, ({ account, policyEpoch }) => void epochs.raise(account, policyEpoch));
  await watching.ready.catch((err: unknown) =>
    log.error({ err }, 'changes of what accounts may use are not heard here; they take effect when grants end. Let NATS have the generated permissions'),
  );
  return watching;
}
