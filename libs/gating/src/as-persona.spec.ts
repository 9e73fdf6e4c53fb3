import { describe, expect, it } from '@jest/globals';
import type { Entitlements, PersonaFacts } from '@skillgate/contracts/entitlements';
import { asPersona } from './as-persona.js';

const persona = (more: Partial<PersonaFacts> = {}): PersonaFacts => ({ id: 'p-1', slug: 'editor', revision: 1, skills: { minutes: 'never' }, integrations: null, ...more });
const facts = (personas?: PersonaFacts[]): Entitlements => ({
  ...{ account: 'a', tier: 'pro', capabilities: ['tools'], integrations: ['gmail', 'drive'], skills: {} },
  ...{ locks: { operator: {}, admin: {} }, policyEpoch: 3, ...(personas && { personas }) },
});

describe('a persona', () => {
  it.each<[string, PersonaFacts, string[]]>([
    ['without a list reaches all that is connected', persona(), ['gmail', 'drive']],
    ['with a list reaches that part of it', persona({ integrations: ['drive'] }), ['drive']],
    ['with an empty list reaches nothing', persona({ integrations: [] }), []],
    ['never adds what the account has not connected', persona({ integrations: ['drive', 'slack'] }), ['drive']],
  ])('%s', (_sentence, one, integrations) => {
    const answer = asPersona(facts([one]), { id: one.id, slug: one.slug });
    expect(answer?.entitlements.integrations).toEqual(integrations);
    expect(answer?.persona).toEqual(one);
  });

  it('is found by its id, whatever slug a ticket says, and by its slug where no id is known', () => {
    expect(asPersona(facts([persona()]), { id: 'p-1', slug: 'other' })?.persona?.slug).toBe('editor');
    expect(asPersona(facts([persona()]), { slug: 'editor' })?.persona?.id).toBe('p-1');
  });

  it.each([[undefined], [[]], [[persona({ id: 'p-2' })]]])('that is gone leaves nothing to decide on', (personas) => {
    expect(asPersona(facts(personas), { id: 'p-1', slug: 'editor' })).toBeNull();
  });

  it('that nobody asked for changes nothing', () => {
    const plain = facts([persona({ integrations: [] })]);
    expect(asPersona(plain, undefined)).toEqual({ entitlements: plain, persona: null });
  });
});
