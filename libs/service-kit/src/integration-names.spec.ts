import { describe, expect, it } from '@jest/globals';
import { integrationNames } from '@skillgate/contracts/integrations';
import { integrationNamesIn, readIntegrationNames } from './integration-names.js';

describe('the outside systems that a house can name', () => {
  it('are those of every house where it has no table of its own', () => {
    expect(readIntegrationNames(undefined)).toEqual(integrationNames);
  });

  it('and those that its table adds, each once, with whatever else stands there left to accounts', () => {
    const yaml = 'integrations:\n  - { name: crm, kind: api-key }\n  - { name: gmail }\n  - { name: erp_2 }\n  - { name: crm }\n';
    expect(integrationNamesIn(yaml, 'x')).toEqual([...integrationNames, 'crm', 'erp_2']);
  });

  it('and one that its table leaves out: what asks for it is no mistake', () => {
    expect(integrationNamesIn('without: [gmail]', 'x')).toEqual(integrationNames);
  });

  it.each(['Fax', 'a-b', '2fa', 'gmail|outlook', '', 'a.b', 'x'.repeat(65)])('have names that stand in a requirement: not %j', (name) => {
    const yaml = JSON.stringify({ integrations: [{ name: 'crm' }, { name }] });
    expect(() => integrationNamesIn(yaml, 'own.yaml')).toThrow(/^own\.yaml: .*is no name[\s\S]*integrations\[1\]\.name/);
  });

  it('are not guessed from a file that is no table', () => {
    expect(() => integrationNamesIn('[]', 'own.yaml')).toThrow('own.yaml');
    expect(() => readIntegrationNames('/nowhere/own.yaml')).toThrow('/nowhere/own.yaml');
  });
});
