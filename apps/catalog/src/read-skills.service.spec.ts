import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { integrationNames } from '@skillgate/contracts/integrations';
import { readSkills } from './read-skills.js';
import { SkillsDirectory } from './skills.fixture.js';

let directory: SkillsDirectory;
beforeAll(async () => {
  directory = await SkillsDirectory.make({ leads: { integrations: 'crm|gmail', capabilities: 'tools' } });
});
afterAll(() => directory?.remove());

describe('a skill that requires an outside system', () => {
  it('which this house adds is as good as any', async () => {
    expect(await readSkills(directory.path, [...integrationNames, 'crm'])).toMatchObject([{ ok: true, warnings: [], skill: { slug: 'leads' } }]);
  });

  it('which nobody knows says so', async () => {
    const [found] = await readSkills(directory.path);
    expect(JSON.stringify(found)).toContain('crm');
    expect(JSON.stringify(found)).toMatch(/unknown|not there|no integration/i);
  });
});
