import { LRUCache } from 'lru-cache';
import { accountVersion, type AccountContents, type AccountSkillRow, type AccountSkillStore } from './account-skill-store.js';
import { factsOf, retirement, type Shelf, type ShelfSkill } from './shelf.js';
import type { ShelfKeeper } from './shelf-keeper.js';

/** Milliseconds after which another replica's change is noticed; the same as for the platform's shelf. */
const freshMs = 1_000;
const remembered = 2_000;

interface Known {
  revision: string;
  contents: AccountContents;
  checkedAt: number;
  /** Made of this shelf of the platform. */
  of?: Shelf;
  shelf?: Shelf;
}

/** What an account sees: the platform's shelf and its own skills. Kept for each account under the account's own revision and the platform's shelf. */
export class AccountShelves {
  private readonly known = new LRUCache<string, Known>({ max: remembered });

  constructor(
    private readonly platform: Pick<ShelfKeeper, 'current' | 'lookAgain'>,
    private readonly store: Pick<AccountSkillStore, 'revision' | 'contents'>,
  ) {}

  /** @param again by a look at the store that begins now. Errors: `unavailable` when the store is */
  async of(account: string, again = false): Promise<Shelf> {
    const [platform, known] = await Promise.all([again ? this.platform.lookAgain() : this.platform.current(), this.check(account, again)]);
    if (known.of !== platform || !known.shelf) {
      known.of = platform;
      known.shelf = together(platform, known.contents);
    }
    return known.shelf;
  }

  private async check(account: string, again: boolean): Promise<Known> {
    const known = this.known.get(account);
    if (known && !again && Date.now() - known.checkedAt < freshMs) return known;
    const checkedAt = Date.now();
    const revision = await this.store.revision(account);
    if (known?.revision === revision) return Object.assign(known, { checkedAt });
    const contents = revision === '' ? nothing : await this.store.contents(account);
    const fresh = { revision, contents, checkedAt };
    this.known.set(account, fresh);
    return fresh;
  }
}

const nothing: AccountContents = { skills: [], updates: new Map() };

/** Of accounts without anything of their own it is the platform's shelf itself, and so is what others keep by it, such as an index. */
function together(platform: Shelf, { skills, updates }: AccountContents): Shelf {
  if (skills.length === 0 && updates.size === 0) return platform;
  const all = new Map<string, ShelfSkill>(platform);
  // The platform's word for a slug goes first: what came to bear the same name later must not change what it means.
  for (const row of skills) if (!platform.has(row.slug)) all.set(row.slug, shelved(row));
  for (const [slug, policy] of updates) {
    const found = all.get(slug);
    if (found) all.set(slug, { ...found, updates: policy });
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function shelved(row: AccountSkillRow): ShelfSkill {
  const last = accountVersion(row);
  if (row.current) return { facts: factsOf(last), offered: last, last, problems: [], updates: 'pin' };
  const retired = row.note ?? '';
  const problem = retirement(retired);
  return { facts: { ...factsOf(last), withdrawn: problem.message }, last, problems: [problem], updates: 'pin', retired };
}
