import type { measureMonolith } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import type { CatalogRoom } from './catalog-room.js';
import { bodyTokens } from './token-counts.js';

/** What a prompt without gates would carry: the instructions of every skill that a model could be offered. */
export async function measure({ shelf }: CatalogRoom): Promise<CallAnswer<typeof measureMonolith>> {
  const offered = [...(await shelf.current()).values()].flatMap(({ offered, facts }) => (offered && !facts.hidden ? [offered] : []));
  return { bodiesTokens: offered.reduce((sum, skill) => sum + bodyTokens(skill), 0), skills: offered.length };
}
