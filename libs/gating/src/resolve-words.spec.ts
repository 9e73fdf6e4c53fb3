import { describe, expect, it } from '@jest/globals';
import type { ScopeLayer } from '@skillgate/contracts/calls/catalog';
import type { SkillState } from '@skillgate/contracts/words';
import { prepareCatalog } from './prepare-catalog.js';
import { resolvePrepared } from './resolve-prepared.js';
import { resolveSkill, resolveSkills } from './resolve.js';
import { setScene, type Scene } from './scene.fixture.js';
import { loadRefusal } from './standing.js';

describe('what is missing', () => {
  it('is said in one sentence each that says what to do', () => {
    const { skill, situation } = setScene({
      capabilities: [],
      modelUsesTools: false,
      needs: { capabilities: ['sandbox'], integrations: ['gmail|outlook'], profiles: ['docs'] },
      served: [],
      skill: { problems: ['line 3, column 14: the value holds a colon.'] },
    });
    expect(resolveSkill(skill, situation).unmet.map(({ message }) => message)).toEqual([
      "The skill's package must be repaired before it can be used: line 3, column 14: the value holds a colon.",
      'This account has plain chat only; move it to a tier that includes tools to use skills.',
      'The chosen model cannot call tools; choose a model that can.',
      "The account's tier does not include sandbox; ask an account admin to move it to one that does.",
      'Connect gmail or outlook to this account, then try again.',
      'docs is served by no executor here; ask the operator to start one and approve it.',
    ]);
  });

  it('of a skill that was taken out of use is that, and nothing to repair', () => {
    const { skill, situation } = setScene({ skill: { withdrawn: 'It was taken out of use: Wrong.' } });
    const decision = resolveSkill(skill, situation);
    expect(loadRefusal(decision, false)).toEqual({ slug: 'skill-invalid', message: 'It was taken out of use: Wrong. Go on without it and say so.' });
    expect(resolvePrepared(prepareCatalog([skill]), situation).at(0)).toEqual(decision);
  });

  it('does not tell a hidden skill from one that does not exist', () => {
    const { skill, situation } = setScene({ skill: { hidden: true, problems: ['secret'] }, needs: { integrations: ['slack'] } });
    expect(loadRefusal(resolveSkill(skill, situation), true)?.message).toBe('There is no skill "memo" here; load only skills that are listed.');
  });
});

describe('input of a wrong shape', () => {
  const sometimes = { memo: 'sometimes' as SkillState };
  it.each<[string, Scene, SkillState, ScopeLayer, string | undefined]>([
    ['an unknown state in the nearest scope closes the skill', { turn: sometimes, account: { memo: 'always' } }, 'never', 'turn', 'state:turn'],
    ['an unknown state in a lock closes the skill', { operator: 'sometimes' as 'never' }, 'never', 'operator-lock', 'state:operator-lock'],
    ['requirements that cannot be read close the skill', { skill: { requires: { integrations: 'slack' } as never } }, 'available', 'default', 'invalid:package'],
    ['a skill that does not say whether it is hidden is hidden', { skill: { hidden: undefined as never } }, 'never', 'hidden', undefined],
  ])('%s', (_sentence, scene, state, layer, reason) => {
    const { skill, situation } = setScene(scene);
    const decision = resolveSkill(skill, situation);
    expect(decision).toMatchObject({ state, layer, usable: false });
    expect(decision.unmet.map(({ kind, need }) => `${kind}:${need}`)[0]).toBe(reason);
    expect(resolvePrepared(prepareCatalog([skill]), situation).at(0)).toEqual(decision);
  });

  it('decides nothing for a list of skills that is none', () => {
    expect(resolveSkills({ skills: undefined } as never)).toEqual([]);
    expect(resolveSkills(undefined as never)).toEqual([]);
  });
});
