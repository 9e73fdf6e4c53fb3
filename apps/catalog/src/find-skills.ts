import type { CatalogEntry, searchSkills } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { standingOf } from '@skillgate/gating/standing';
import { buildIndex, type SkillIndex } from '@skillgate/search/build-index';
import { search } from '@skillgate/search/search';
import { entryOf } from './catalog-entry.js';
import { situationOf, type CatalogRoom } from './catalog-room.js';
import { decideShelf } from './decide-shelf.js';
import type { Shelf } from './shelf.js';

/**
 * What of the catalog this ticket may load: the resolver says which, the words say in what order. A skill that may not be
 * loaded is found by no words. Refusals: `ticket-invalid`, `ticket-expired`.
 */
export async function findSkills(room: CatalogRoom, input: CallParsedInput<typeof searchSkills>): Promise<CallAnswer<typeof searchSkills>> {
  const ticket = await room.checkTicket(input.ticket);
  const [shelf, { situation }] = await Promise.all([room.shelfOf(ticket.account), situationOf(room, ticket, input)]);
  const loadable = new Map<string, CatalogEntry>();
  for (const { facts, offered, decision } of decideShelf(shelf, situation)) {
    if (offered && standingOf(decision) === 'listed') loadable.set(facts.slug, entryOf(offered));
  }
  const { query = '', after = '', limit } = input;
  if (/[\p{L}\p{N}]/u.test(query)) return { skills: best(indexOf(shelf), query, loadable, limit), loadable: loadable.size, next: null };
  const rest = [...loadable.values()].filter(({ slug }) => slug > after);
  const page = rest.slice(0, limit);
  return { skills: page, loadable: loadable.size, next: page.length < rest.length ? page.at(-1)!.slug : null };
}

/** The index knows every offered skill; how many of the best may not be loaded is known afterwards, so it is asked for more until enough may. */
function best(index: SkillIndex, query: string, loadable: ReadonlyMap<string, CatalogEntry>, limit: number): CatalogEntry[] {
  for (let asked = limit; ; asked *= 4) {
    const hits = search(index, query, asked);
    const found = hits.flatMap(({ slug }) => loadable.get(slug) ?? []);
    if (found.length >= limit || hits.length < asked) return found.slice(0, limit);
  }
}

/** Built once for a shelf, which never changes: another publication is another shelf. */
const indexes = new WeakMap<Shelf, SkillIndex>();

function indexOf(shelf: Shelf): SkillIndex {
  const known = indexes.get(shelf);
  if (known) return known;
  const index = buildIndex([...shelf.values()].flatMap(({ offered }) => (offered && !offered.hidden ? [offered] : [])));
  indexes.set(shelf, index);
  return index;
}
