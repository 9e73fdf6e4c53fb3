import type { SkillDecision } from '@skillgate/contracts/calls/catalog';
import { type PreparedCatalog, prepareCatalog } from '@skillgate/gating/prepare-catalog';
import { resolvePrepared } from '@skillgate/gating/resolve-prepared';
import type { Situation } from '@skillgate/gating/skill-facts';
import type { Shelf, ShelfSkill } from './shelf.js';

/** A shelf never changes, another takes its place: what was prepared for it goes with it. */
const prepared = new WeakMap<Shelf, PreparedCatalog>();

/** Every skill of a shelf, in its order, with the decision on it in this situation. Decisions are shared and frozen. */
export function decideShelf(shelf: Shelf, situation: Situation): (ShelfSkill & { decision: SkillDecision })[] {
  const skills = [...shelf.values()];
  let catalog = prepared.get(shelf);
  if (!catalog) {
    catalog = prepareCatalog(skills.map(({ facts }) => facts));
    prepared.set(shelf, catalog);
  }
  const decisions = resolvePrepared(catalog, situation);
  return skills.map((skill, place) => ({ ...skill, decision: decisions.at(place)! }));
}
