import type { Principal } from '@skillgate/contracts/calls/accounts';
import { getPersona, type PersonaView } from '@skillgate/contracts/calls/personas';
import { isRefusal, refuse } from '@skillgate/contracts/refusal';
import type { PersonaRef } from '@skillgate/contracts/tokens';
import { skillSlug } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';
import type { Wire } from '@skillgate/wire/wire';
import { mintTicket } from './ticket.js';

const prefix = 'persona/';

/** The slug in a model id such as `persona/editor`; undefined for a plain model. */
export const personaSlug = (model: string): string | undefined => (model.startsWith(prefix) ? model.slice(prefix.length) : undefined);

export const personaModel = (slug: string): string => `${prefix}${slug}`;

/** A persona as it stands now, and who asks with facts that are new enough to know it. */
export interface FoundPersona {
  readonly persona: PersonaView;
  readonly ref: PersonaRef;
  readonly principal: Principal;
}

/** Of the principal's own account. Refusal: `unknown-persona`. */
export async function findPersona(wire: Pick<Wire, 'call'>, signer: Signer, principal: Principal, slug: string): Promise<FoundPersona> {
  // Whatever stands behind `persona/` in a model id comes here, and what is no slug names nobody.
  if (!skillSlug.safeParse(slug).success) throw refuse('unknown-persona', 'That is not written as the slug of a persona can be. GET /api/v1/personas lists yours.');
  const persona = await wire.call(getPersona, { ticket: await mintTicket(signer, principal), slug });
  const { id, revision, policyEpoch } = persona;
  // Whoever decides must know of this persona: what was remembered of the caller may be older than it.
  return { persona, ref: { id, slug: persona.slug, revision }, principal: { ...principal, policyEpoch: Math.max(principal.policyEpoch, policyEpoch) } };
}

/** The same for a model id, where a persona that is not there is a model that is not there. Refusal: `unknown-model`. */
export async function personaOfModel(wire: Pick<Wire, 'call'>, signer: Signer, principal: Principal, model: string): Promise<FoundPersona | null> {
  const slug = personaSlug(model);
  if (slug === undefined) return null;
  try {
    return await findPersona(wire, signer, principal, slug);
  } catch (error) {
    if (isRefusal(error, 'unknown-persona')) throw refuse('unknown-model', `There is no model "${model.slice(0, 100)}". GET /v1/models lists them.`, { param: 'model' });
    throw error;
  }
}
