import { describe, expect, it } from '@jest/globals';
import { planPublication } from './plan-publication.js';
import type { FoundSkill, SkillVersion } from './skill-version.js';

const skill = (slug: string, version: string, digest: string): SkillVersion => ({
  slug,
  version,
  digest,
  title: slug,
  description: 'd',
  hidden: false,
  defaultState: 'available',
  requires: { capabilities: [], integrations: [], profiles: [], tools: [] },
  body: 'b',
});
const found = (...parts: Parameters<typeof skill>): FoundSkill => ({ ok: true, skill: skill(...parts), warnings: [] });

describe('a publication', () => {
  it('adds what is new and offers it', () => {
    const plan = planPublication([found('memo', '1.0.0', 'aa')], []);
    expect(plan.insert.map(({ slug }) => slug)).toEqual(['memo']);
    expect(plan.current).toEqual([{ slug: 'memo', version: '1.0.0', problems: [] }]);
  });

  it('adds nothing the second time', () => {
    const plan = planPublication([found('memo', '1.0.0', 'aa')], [{ slug: 'memo', version: '1.0.0', digest: 'aa' }]);
    expect(plan.insert).toEqual([]);
    expect(plan.current).toEqual([{ slug: 'memo', version: '1.0.0', problems: [] }]);
  });

  it('keeps a published version whose folder was edited, and says to raise the version', () => {
    const plan = planPublication([found('memo', '1.0.0', 'bb')], [{ slug: 'memo', version: '1.0.0', digest: 'aa' }]);
    expect(plan.insert).toEqual([]);
    expect(plan.current).toMatchObject([
      { version: '1.0.0', problems: [{ rule: 'version-digest-differs', message: expect.stringContaining('raise skillgate.version') }] },
    ]);
  });

  it('offers an older version again when its folder was put back', () => {
    const stored = [
      { slug: 'memo', version: '1.0.0', digest: 'aa' },
      { slug: 'memo', version: '2.0.0', digest: 'bb' },
    ];
    expect(planPublication([found('memo', '1.0.0', 'aa')], stored)).toEqual({
      insert: [],
      current: [{ slug: 'memo', version: '1.0.0', problems: [] }],
      unusable: [],
      files: new Map(),
    });
  });

  it('offers nothing of a broken folder, whatever was published before', () => {
    const problems = [{ rule: 'yaml', message: 'broken', line: 2, column: 3 }];
    const plan = planPublication([{ ok: false, folder: 'memo', problems }], [{ slug: 'memo', version: '1.0.0', digest: 'aa' }]);
    expect(plan).toEqual({ insert: [], current: [], unusable: [{ folder: 'memo', problems }], files: new Map() });
  });
});
