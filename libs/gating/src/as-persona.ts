import type { Entitlements, PersonaFacts } from '@skillgate/contracts/entitlements';

/** What an account may use while a persona answers, and what that persona says of skills. */
export interface AsPersona {
  readonly entitlements: Entitlements;
  readonly persona: PersonaFacts | null;
}

/**
 * A persona narrows what its account has connected and never adds to it. Catalog and registry both ask here.
 *
 * @param wanted by id, or by slug; undefined for no persona
 * @returns null when the account has no such persona any more: nothing may be decided then
 */
export function asPersona(facts: Entitlements, wanted: { readonly id?: string; readonly slug: string } | undefined): AsPersona | null {
  if (!wanted) return { entitlements: facts, persona: null };
  const persona = facts.personas?.find(({ id, slug }) => (wanted.id === undefined ? slug === wanted.slug : id === wanted.id));
  if (!persona) return null;
  const reached = persona.integrations;
  if (reached === null) return { entitlements: facts, persona };
  return { entitlements: { ...facts, integrations: facts.integrations.filter((name) => reached.includes(name)) }, persona };
}
