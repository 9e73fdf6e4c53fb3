import { z } from 'zod';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { displayName, keepable, plainText } from '../plain-text.js';
import { accountId, jws, skillSlug, skillStateEdit, skillStates } from '../words.js';

/** So many that the facts of an account still fit one message. */
export const mostPersonas = 40;
export const mostPersonaStates = 60;

/** What an account's users may have a model be: `persona/<slug>` is its model id. */
const personaWritten = {
  name: displayName,
  /** What the account wishes of the model. It is labelled as such and changes no rule of the house. */
  instructions: keepable(z.string().max(20_000)),
  /** Null: the model that is the default here. */
  model: plainText(1, 200).nullable(),
  skills: skillStates.refine((states) => Object.keys(states).length <= mostPersonaStates, `at most ${mostPersonaStates} skills have a state of their own`),
  /** Of those that the account has connected, the ones that this persona reaches; null for all. */
  integrations: z.array(keepable(z.string().max(64))).max(50).nullable(),
};

export const personaView = z.object({
  id: z.uuid(),
  slug: skillSlug,
  ...personaWritten,
  revision: z.number().int().positive(),
  createdAt: z.iso.datetime(),
  retiredAt: z.iso.datetime().nullable(),
  /** Of the account, with the persona as it stands here. */
  policyEpoch: z.number().int().nonnegative(),
});
export type PersonaView = z.infer<typeof personaView>;

const personaRefusals = ['unknown-account', 'unknown-persona', 'unknown-integration', ...authorityRefusals];

export const createPersona = defineCall('call.v1.accounts.create-persona', {
  input: z.object({
    authority,
    account: accountId,
    slug: skillSlug,
    ...personaWritten,
    instructions: personaWritten.instructions.default(''),
    model: personaWritten.model.default(null),
    skills: personaWritten.skills.default({}),
    integrations: personaWritten.integrations.default(null),
  }),
  output: personaView,
  /** A slug is given once: also a retired persona keeps it, since chats and routes name it. */
  refusals: [...personaRefusals, 'persona-taken', 'too-many-personas'],
});

/** What is not named stays. `states` edits single skills; `skills` replaces all. */
export const updatePersona = defineCall('call.v1.accounts.update-persona', {
  input: z.object({
    authority,
    account: accountId,
    slug: skillSlug,
    name: personaWritten.name.optional(),
    instructions: personaWritten.instructions.optional(),
    model: personaWritten.model.optional(),
    skills: personaWritten.skills.optional(),
    integrations: personaWritten.integrations.optional(),
    states: skillStateEdit.optional(),
  }),
  output: personaView,
  refusals: [...personaRefusals, 'too-many-states'],
});

/** For good; turns that run as it open nothing any more. */
export const retirePersona = defineCall('call.v1.accounts.retire-persona', {
  input: z.object({ authority, account: accountId, slug: skillSlug }),
  output: personaView,
  refusals: personaRefusals,
});

/** In the order of their slugs, without the retired ones. */
export const listPersonas = defineCall('call.v1.accounts.list-personas', {
  input: z.object({ authority, account: accountId }),
  output: z.object({ personas: z.array(personaView.omit({ instructions: true })) }),
  refusals: personaRefusals,
});

/** Of the ticket's own account; the ticket may be that of a turn. */
export const getPersona = defineCall('call.v1.accounts.get-persona', {
  input: z.object({ ticket: jws, slug: keepable(z.string().max(64)) }),
  output: personaView,
  refusals: ['unknown-persona', 'ticket-invalid', 'ticket-expired'],
});
