import { beginEpoch } from './begin-epoch.js';
import type { TurnContext } from './turn-context.js';

const mark = 'always:'; // as begin-epoch.ts announces them

/** Freezes a new prefix with the catalog of the moment, in mid-chat: what was sent before is not sent again anyway. */
export function newEpoch(context: TurnContext): void {
  const { frozen, journal, toolsAllowed, entries, loaded, catalogBudget: budget, turn } = context;
  if (!frozen) return;
  const always = frozen.announced.filter((slug) => slug.startsWith(mark)).map((slug) => slug.slice(mark.length));
  const visible = { toolsAllowed, entries, always, loaded: loaded.map(({ slug }) => slug), budget, persona: turn.persona ?? null };
  const begun = beginEpoch({ ...frozen, prefix: null, pinned: [], history: [] }, visible);
  const prefix = { ...begun.prefix, epoch: frozen.epoch + 1 };
  Object.assign(context, { prefix: prefix.prefix ?? '', prefixHash: prefix.prefixHash, frozen: prefix });
  journal.freeze(prefix);
}
