import { type CatalogEntry, searchSkills } from '@skillgate/contracts/calls/catalog';
import type { TurnContext } from './turn-context.js';

const longestQuery = 2_000; // as the catalog takes it
const mostFound = 20;

/** Answers `list_skills`: the catalog says what may be loaded now and what fits the words. @throws when the catalog is away */
export async function listSkills({ wire, ticket, entry, held, signal }: TurnContext, { query, after }: Record<string, unknown>): Promise<string> {
  const asked = {
    ticket,
    modelUsesTools: entry.usesTools,
    limit: mostFound,
    ...(typeof query === 'string' ? { query: query.slice(0, longestQuery) } : {}),
    ...(typeof after === 'string' ? { after: after.slice(0, 64) } : {}),
    ...(held.newestEpoch > 0 ? { minEpoch: held.newestEpoch } : {}),
  };
  const { skills, loadable, next } = await wire.call(searchSkills, asked, { signal });
  return JSON.stringify({ skills: skills.map(shown), ...(skills.length === 0 ? { message: nothing } : {}), loadable, ...(next ? { next } : {}) });
}

const nothing = 'No skill that can be loaded fits these words. Try other words, answer without a skill, or ask the user.';

const shown = ({ slug, description, source }: CatalogEntry) => ({ slug, description, ...(source === 'account' ? { written_by: 'account' } : {}) });
