import type { listSkills } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import type { CatalogRoom } from './catalog-room.js';
import { bodyTokens } from './token-counts.js';

/** For operators: everything, hidden and unusable skills included, each with its problems. */
export async function list({ shelf }: CatalogRoom): Promise<CallAnswer<typeof listSkills>> {
  const skills = [...(await shelf.current())].map(([slug, { facts, offered, last, problems }]) => ({
    slug,
    version: last?.version ?? null,
    digest: last?.digest ?? null,
    description: last?.description ?? '',
    hidden: facts.hidden,
    status: offered ? ('published' as const) : ('invalid' as const),
    problems,
    bodyTokens: last ? bodyTokens(last) : 0,
    requires: last?.requires ?? null,
  }));
  return { skills };
}
