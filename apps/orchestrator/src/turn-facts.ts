import { countLines } from '@skillgate/prompt/catalog-line';
import type { HistoryItem } from '@skillgate/prompt/history';
import { splitPrefix } from '@skillgate/prompt/prefix';
import { refOf, samePersona } from './turn-persona.js';
import type { TurnFacts } from './entities.js';
import type { Monolith } from './monolith.js';
import { turnCost } from './turn-cost.js';
import type { TurnContext } from './turn-context.js';

/** What the route keeps beside the steps. */
export function factsOf({ entries, withheld, prefix, prefixHash, toolsAllowed, meter, turn, journal, decisions, warnings, personaBefore, answering }: TurnContext, monolith: Monolith | null): TurnFacts {
  const catalogLines = toolsAllowed ? countLines(splitPrefix(prefix).catalog) : null;
  const cost = turnCost(journal.steps, answering.prices, monolith);
  const { persona } = turn;
  const as = persona ? { persona: { ...refOf(persona), changed: personaBefore !== undefined && !samePersona(personaBefore, persona) } } : {};
  const more = { ...as, ...(!persona && personaBefore && { personaEnded: personaBefore }), ...(decisions && { decisions }), ...(warnings && warnings.length > 0 && { warnings }) };
  const tokens = meter.ledger(monolith);
  const { how, from } = turn.request?.transcript ?? {};
  const found = how ? { recognised: { how, ...(from && { from }) } } : {};
  const counted = { tokens, ...(cost && { cost }), catalogHash: prefixHash, catalogLines };
  return { visible: entries.map((entry) => entry.slug), withheld, ...counted, entered: enteredIn(journal.history), ...more, ...found };
}

/** Of the turn that the last user message began. Read from the history, so that another attempt at the turn tells the same. */
function enteredIn(history: readonly HistoryItem[]): NonNullable<TurnFacts['entered']> {
  const begun = history.findLastIndex(({ kind }) => kind === 'user');
  return history.slice(begun + 1).flatMap((item) =>
    item.kind === 'loaded'
      ? item.skills.flatMap(({ slug, version, replaces }) => (Object.hasOwn(item.callIds, slug) ? [] : [{ skill: slug, version, replaces: replaces ?? null }]))
      : [],
  );
}
