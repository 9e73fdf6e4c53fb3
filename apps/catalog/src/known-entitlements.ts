import { getEntitlements } from '@skillgate/contracts/calls/accounts';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import type { Wire } from '@skillgate/wire/wire';

const freshMs = 1_000;
const maxKnown = 10_000;

interface Known {
  asked: Promise<Entitlements>;
  /** Of the request; the answer is at least as new. */
  minEpoch: number;
  at: number;
}

/** What an account may use and has connected: at most a second old, and never older than the epoch that is asked for. */
export class KnownEntitlements {
  private readonly known = new Map<string, Known>();

  constructor(private readonly wire: Pick<Wire, 'call'>) {}

  /** Refusals: those of `accounts.get-entitlements`. */
  async of(account: string, minEpoch: number): Promise<Entitlements> {
    const known = this.known.get(account);
    if (known && Date.now() - known.at < freshMs) {
      if (known.minEpoch >= minEpoch) return known.asked;
      const facts = await known.asked.catch(() => null);
      if (facts && facts.policyEpoch >= minEpoch) return facts;
    }
    return this.ask(account, minEpoch);
  }

  private ask(account: string, minEpoch: number): Promise<Entitlements> {
    const asked = this.wire.call(getEntitlements, { account, minEpoch });
    const entry = { asked, minEpoch, at: Date.now() };
    this.known.delete(account); // so that the map stays in the order of asking
    this.known.set(account, entry);
    if (this.known.size > maxKnown) this.known.delete(this.known.keys().next().value!);
    asked.catch(() => {
      if (this.known.get(account) === entry) this.known.delete(account);
    });
    return asked;
  }
}
