import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contextDocument } from './context-document.js';
import { measureContext } from './context.js';

const root = join(import.meta.dirname, '../../..');
const economy = measureContext(root);

describe('bin/measure context', () => {
  it('is what docs/context-economy.md says; after a change run bin/measure context --write', () => {
    expect(readFileSync(join(root, 'docs/context-economy.md'), 'utf8')).toBe(contextDocument(economy));
  });

  it('counts the catalog once, the instructions of visible skills alone, and tools that an executor serves', () => {
    const { tokens, skills, tools, profilesDetail } = economy;
    expect(tokens.catalog).toBeLessThan(tokens.firstCall);
    expect(tokens.bodies).toBeGreaterThan(skills.visible * 500);
    expect(tools.all).toBe(tools.base + profilesDetail.reduce((sum, profile) => sum + profile.tools, 0));
    expect(tokens.monolith - tokens.bodies - tokens.allTools).toBeLessThan(tokens.firstCall - tokens.catalog);
  });

  it('gives a flow the instructions of its skill and the tools of its profiles, and no others', () => {
    const documents = economy.flows.find(({ name }) => name === 'documents')!;
    expect(documents.toolsOpened).toBe(economy.profilesDetail.find(({ id }) => id === 'docs')!.tools);
    expect(documents.tokens).toBeGreaterThan(economy.tokens.firstCall + economy.skills.medianBody / 2);
  });

  it('keeps the catalog of any number of skills within its budget, and loses none', () => {
    for (const { skills, catalogTokens, full, shortened, grouped } of economy.growth) {
      expect(catalogTokens).toBeLessThanOrEqual(6_000);
      expect(full + shortened + grouped).toBe(skills);
    }
  });
});
