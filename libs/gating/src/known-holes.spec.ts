// Proves: holes that systems like this are known for stay closed here. Further ones: a receipt that outlived its reasons and a profile
// that is unknown to the runtime (apps/registry), a version overwritten by the last writer (apps/catalog).
import { describe, expect, it } from '@jest/globals';
import type { SkillState } from '@skillgate/contracts/words';
import { decideAll, setScene, type Scene } from './scene.fixture.js';
import { loadRefusal, standingOf } from './standing.js';

const on = (state: SkillState) => ({ memo: state });

function load(scene: Scene) {
  const { skill, situation } = setScene(scene);
  const decision = decideAll(skill, situation);
  return { standing: standingOf(decision), refused: loadRefusal(decision, skill.hidden) };
}

describe('a skill that is never, named directly', () => {
  it.each<[string, Scene, string]>([
    ['by the turn', { turn: on('never') }, 'turn setting'],
    ['by the chat, though the persona has it always', { chat: on('never'), persona: on('always') }, 'chat setting'],
    ['by the persona, though the account has it available', { persona: on('never'), account: on('available') }, 'persona setting'],
    ['by the account', { account: on('never') }, 'account setting'],
    ['by its default', { skill: { defaultState: 'never' } }, 'its own default'],
    ["by the admin's lock, though all scopes have it always", { admin: 'never', turn: on('always'), chat: on('always') }, "admin's lock"],
    ["by the operator's lock, though the admin has locked it on", { operator: 'never', admin: 'always' }, "operator's lock"],
    ['with all that it needs at hand', { account: on('never'), needs: { integrations: ['slack'] }, integrations: ['slack'] }, 'account setting'],
  ])('is refused, %s', (_sentence, scene, whose) => {
    expect(load(scene)).toMatchObject({ standing: 'withheld', refused: { slug: 'skill-never', message: expect.stringContaining(whose) } });
  });

  it('tells nothing apart from one that does not exist, when it is hidden', () => {
    expect(load({ skill: { hidden: true } }).refused).toEqual({ slug: 'skill-hidden', message: 'There is no skill "memo" here; load only skills that are listed.' });
  });
});

describe('a skill that needs two integrations', () => {
  const needs = { integrations: ['gmail', 'slack'] };
  it.each<[string, string[], string | null]>([
    ['is refused with neither, and both are named', [], 'Connect gmail to this account, then try again. Connect slack to this account, then try again.'],
    ['is refused with the first', ['gmail'], 'Connect slack to this account, then try again.'],
    ['is refused with the second', ['slack'], 'Connect gmail to this account, then try again.'],
    ['is refused with the first twice', ['gmail', 'gmail'], 'Connect slack to this account, then try again.'],
    ['is refused with one whose name holds both', ['gmail|slack', 'gmail,slack'], 'Connect gmail to this account, then try again. Connect slack to this account, then try again.'],
    ['loads with both', ['slack', 'gmail'], null],
  ])('%s', (_sentence, integrations, message) => {
    const { standing, refused } = load({ needs, integrations });
    expect([standing, refused?.message ?? null]).toEqual([message ? 'withheld' : 'listed', message]);
    // No state can stand in for what is missing.
    if (message) for (const state of ['always', 'available'] as const) expect(load({ needs, integrations, turn: on(state) }).standing).toBe('withheld');
  });
});

describe('a profile that a skill knows and the runtime does not', () => {
  const needs = { profiles: ['payroll'] };
  it('keeps the skill out of the catalog and refuses its load, with what to do', () => {
    expect(load({ needs, served: ['docs'] })).toEqual({
      standing: 'withheld',
      refused: { slug: 'skill-unmet', message: 'payroll is served by no executor here; ask the operator to start one and approve it.' },
    });
  });

  it('is not made up for by a lock, nor by another profile that is served', () => {
    expect(load({ needs, served: [], operator: 'always' }).standing).toBe('withheld');
    expect(load({ needs: { profiles: ['docs', 'payroll'] }, served: ['docs'] }).standing).toBe('withheld');
  });
});
