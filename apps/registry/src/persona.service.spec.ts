// Proves: a persona narrows what its account has connected also where grants are made, and a persona that is gone opens nothing.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { previewTools } from '@skillgate/contracts/calls/registry';
import type { PersonaFacts } from '@skillgate/contracts/entitlements';
import { announcedTool, entitled } from './spec-support/facts.js';
import { newTurn, startRegistry, type LiveRegistry } from './spec-support/live-registry.js';

let registry: LiveRegistry;
const persona = (integrations: string[] | null): PersonaFacts => ({ id: randomUUID(), slug: 'editor', revision: 1, skills: {}, integrations });
const requires = { integrations: ['gmail'], profiles: ['docs'] };

beforeAll(async () => {
  registry = await startRegistry();
  await registry.serve(announcedTool());
}, 60_000);
afterAll(() => registry?.stop());
beforeEach(() => void Object.assign(registry.account, { gone: false }));

async function open(one: PersonaFacts | null, known: PersonaFacts[] = one ? [one] : []) {
  registry.account.facts = { ...entitled(), integrations: ['gmail'], personas: known };
  const ref = one && { id: one.id, slug: one.slug, revision: one.revision };
  return registry.resolve(newTurn({ ticket: ref ? { persona: ref } : {}, requires }));
}

describe('a turn of a persona', () => {
  it('opens what needs an integration that it reaches', async () => {
    for (const one of [null, persona(null), persona(['gmail'])]) expect((await open(one)).grants).toHaveLength(1);
  });

  it('opens nothing of what needs another, and says so', async () => {
    for (const one of [persona([]), persona(['slack'])]) {
      const { tools, grants, withheld } = await open(one);
      expect([tools, grants]).toEqual([[], []]);
      expect(withheld).toContainEqual(expect.objectContaining({ name: 'docs', slug: 'integration-missing' }));
    }
  });

  it('that was retired gets no grant at all', async () => {
    await expect(open(persona(null), [])).rejects.toMatchObject({ slug: 'ticket-invalid' });
  });
});

describe('a preview', () => {
  it('takes a persona by its slug, and refuses one that is not there', async () => {
    const account = randomUUID();
    registry.account.facts = { ...entitled(), integrations: ['gmail'], personas: [persona([])] };
    const ask = async (slug?: string) => registry.gateway.call(previewTools, { ticket: await registry.authority({ account, roles: ['user'] }), requires, ...(slug && { persona: slug }) });
    expect((await ask()).loadable).toBe(true);
    expect((await ask('editor')).loadable).toBe(false);
    await expect(ask('nobody')).rejects.toMatchObject({ slug: 'unknown-persona' });
  });
});
