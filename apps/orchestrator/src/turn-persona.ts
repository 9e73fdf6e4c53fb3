import { getPersona } from '@skillgate/contracts/calls/personas';
import { refuse } from '@skillgate/contracts/refusal';
import type { PersonaRef } from '@skillgate/contracts/tokens';
import type { Wire } from '@skillgate/wire/wire';

/** As whom the model answers in a turn, with the words for its prompt. */
export interface TurnPersona extends PersonaRef {
  readonly name: string;
  readonly instructions: string;
}

/** The persona that a ticket names, as accounts has it now. @throws refusal `unknown-persona` when it was retired or replaced meanwhile */
export async function personaOf(wire: Pick<Wire, 'call'>, ticket: string, wanted: PersonaRef): Promise<TurnPersona & { model: string | null }> {
  const { id, slug, revision, name, instructions, model } = await wire.call(getPersona, { ticket, slug: wanted.slug });
  if (id !== wanted.id) throw refuse('unknown-persona', `The persona "${slug}" is not the one that was asked for any more; send the request again.`);
  return { id, slug, revision, name, instructions, model };
}

export const refOf = ({ id, slug, revision }: PersonaRef): PersonaRef => ({ id, slug, revision });

/** Another one, none any more, or the same in other words: each is another prompt. */
export const samePersona = (one: PersonaRef | null | undefined, other: PersonaRef | null | undefined): boolean =>
  one?.id === other?.id && one?.revision === other?.revision;

/** What a model must be told whose history was written as somebody else; null where nothing of it is different. */
export function personaNotice(before: PersonaRef | null | undefined, now: TurnPersona | null | undefined): string | null {
  if (samePersona(before, now)) return null;
  if (!now) return `The persona "${before!.slug}" has ended. From here on you answer as the assistant of this place; what was said as that persona stays said.`;
  if (before?.id === now.id) return `The account has changed the persona "${now.slug}"; its words at the head of this chat are the new ones.`;
  return `From here on you are the persona "${now.slug}", as the head of this chat describes it. Earlier answers were given ${before ? `as "${before.slug}"` : 'without a persona'}; do not go on in their manner.`;
}
