import { countLines } from '@skillgate/prompt/catalog-line';
import { splitPrefix } from '@skillgate/prompt/prefix';
import { refOf, samePersona } from './turn-persona.js';
import type { TurnFacts } from './entities.js';
import type { Monolith } from './monolith.js';
import { turnCost } from './turn-cost.js';
import type { TurnContext } from './turn-context.js';

/** What the route keeps beside the steps. */
export function factsOf({ entries, withheld, prefix, prefixHash, toolsAllowed, meter, turn, decisions, warnings, personaBefore, journal, answering }: TurnContext, monolith: Monolith | null): TurnFacts {
  const catalogLines = toolsAllowed ? countLines(splitPrefix(prefix).catalog) : null;
  const cost = turnCost(journal.steps, answering.prices, monolith);
  const { persona } = turn;
  const as = persona ? { persona: { ...refOf(persona), changed: personaBefore !== undefined && !samePersona(personaBefore, persona) } } : {};
  const more = { ...as, ...(!persona && personaBefore && { personaEnded: personaBefore }), ...(decisions && { decisions }), ...(warnings && warnings.length > 0 && { warnings }) };
  return { visible: entries.map((entry) => entry.slug), withheld, tokens: meter.ledger(monolith), ...(cost && { cost }), catalogHash: prefixHash, catalogLines, ...more };
}
