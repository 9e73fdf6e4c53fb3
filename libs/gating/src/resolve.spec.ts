import { describe, expect, it } from '@jest/globals';
import type { ScopeLayer } from '@skillgate/contracts/calls/catalog';
import type { SkillState } from '@skillgate/contracts/words';
import { resolveSkill, resolveSkills } from './resolve.js';
import type { Situation, SkillFacts } from './skill-facts.js';
import { loadRefusal, standingOf } from './standing.js';

type Scene = Partial<Situation['layers']> & {
  operator?: 'always' | 'never';
  admin?: 'always' | 'never';
  capabilities?: string[];
  integrations?: string[];
  served?: string[];
  modelUsesTools?: boolean;
  skill?: Partial<SkillFacts>;
  needs?: Partial<SkillFacts['requires']>;
};

const noNeeds = { capabilities: [], integrations: [], profiles: [], tools: [] };

/** A scene names the skill under test `memo`; the account is a paid one unless said otherwise. */
function decideScene(scene: Scene) {
  const skill: SkillFacts = {
    slug: 'memo',
    hidden: false,
    defaultState: 'available',
    requires: { ...noNeeds, ...scene.needs },
    ...scene.skill,
  };
  const situation: Situation = {
    layers: { turn: scene.turn ?? {}, chat: scene.chat ?? {}, persona: scene.persona ?? {}, account: scene.account ?? {} },
    locks: { operator: scene.operator ? { memo: scene.operator } : {}, admin: scene.admin ? { memo: scene.admin } : {} },
    entitlements: { capabilities: scene.capabilities ?? ['tools'], integrations: scene.integrations ?? [] },
    servedProfiles: scene.served && new Set(scene.served),
    modelUsesTools: scene.modelUsesTools ?? true,
  };
  return { decision: resolveSkill(skill, situation), hidden: skill.hidden };
}

const on = (state: SkillState) => ({ memo: state });

describe('which layer decides', () => {
  const rows: [sentence: string, scene: Scene, state: SkillState, layer: ScopeLayer][] = [
    ['a skill that nobody mentions keeps its default', {}, 'available', 'default'],
    ['a default of never is kept', { skill: { defaultState: 'never' } }, 'never', 'default'],
    ['a default of always is kept', { skill: { defaultState: 'always' } }, 'always', 'default'],
    ['the account overrides the default', { account: on('never') }, 'never', 'account'],
    [
      'the account opens a skill whose default is never',
      { skill: { defaultState: 'never' }, account: on('available') },
      'available',
      'account',
    ],
    ['the persona overrides the account', { account: on('never'), persona: on('always') }, 'always', 'persona'],
    ['the chat overrides the persona', { persona: on('always'), chat: on('never') }, 'never', 'chat'],
    ['the turn overrides the chat', { chat: on('never'), turn: on('available') }, 'available', 'turn'],
    [
      'the turn overrides all other scopes at once',
      { account: on('never'), persona: on('never'), chat: on('never'), turn: on('always') },
      'always',
      'turn',
    ],
    ['a setting for another skill decides nothing', { turn: { other: 'never' } }, 'available', 'default'],
    ["the admin's lock binds the turn", { turn: on('always'), admin: 'never' }, 'never', 'admin-lock'],
    ["the admin's lock of always binds a turn that says never", { turn: on('never'), admin: 'always' }, 'always', 'admin-lock'],
    ["the operator's lock stands above the admin's", { admin: 'always', operator: 'never' }, 'never', 'operator-lock'],
    ["the operator's lock of always stands above the admin's never", { admin: 'never', operator: 'always' }, 'always', 'operator-lock'],
    ["the operator's lock binds every scope", { turn: on('always'), chat: on('always'), operator: 'never' }, 'never', 'operator-lock'],
    ['a hidden skill stays hidden', { skill: { hidden: true } }, 'never', 'hidden'],
    ['a hidden skill ignores its own default', { skill: { hidden: true, defaultState: 'always' } }, 'never', 'hidden'],
    ['a turn cannot touch a hidden skill', { skill: { hidden: true }, turn: on('always') }, 'never', 'hidden'],
    ['an account cannot touch a hidden skill', { skill: { hidden: true }, account: on('available') }, 'never', 'hidden'],
    ["an admin's lock cannot touch a hidden skill", { skill: { hidden: true }, admin: 'always' }, 'never', 'hidden'],
    ["only the operator's lock reaches a hidden skill", { skill: { hidden: true }, operator: 'always' }, 'always', 'operator-lock'],
    ["the operator's never on a hidden skill is said as such", { skill: { hidden: true }, operator: 'never' }, 'never', 'operator-lock'],
    ['a skill named constructor is not found among inherited properties', { skill: { slug: 'constructor' } }, 'available', 'default'],
  ];

  it.each(rows)('%s', (_sentence, scene, state, layer) => {
    expect(decideScene(scene).decision).toMatchObject({ state, layer });
  });
});

describe('what must be met', () => {
  const rows: [sentence: string, scene: Scene, usable: boolean, unmet: string[]][] = [
    ['a skill without needs is usable', {}, true, []],
    ['never is unusable though nothing is missing', { turn: on('never') }, false, []],
    ['a Slack skill stays closed until Slack is connected', { needs: { integrations: ['slack'] } }, false, ['integration:slack']],
    ['a Slack skill opens once Slack is connected', { needs: { integrations: ['slack'] }, integrations: ['slack'] }, true, []],
    ['either of two integrations is enough', { needs: { integrations: ['gmail|outlook'] }, integrations: ['outlook'] }, true, []],
    ['neither of two integrations is one unmet need', { needs: { integrations: ['gmail|outlook'] } }, false, ['integration:gmail|outlook']],
    [
      'separate needs must all hold',
      { needs: { integrations: ['gmail', 'slack'] }, integrations: ['gmail'] },
      false,
      ['integration:slack'],
    ],
    [
      'an any-of need and a plain one must both hold',
      { needs: { integrations: ['gmail|outlook', 'slack'] }, integrations: ['gmail'] },
      false,
      ['integration:slack'],
    ],
    ['an integration is not a capability', { needs: { capabilities: ['slack'] }, integrations: ['slack'] }, false, ['capability:slack']],
    ['a missing capability closes the skill', { needs: { capabilities: ['sandbox'] } }, false, ['capability:sandbox']],
    ['a capability that is there opens it', { needs: { capabilities: ['sandbox'] }, capabilities: ['tools', 'sandbox'] }, true, []],
    ['any-of works for capabilities', { needs: { capabilities: ['sandbox|subagents'] }, capabilities: ['tools', 'subagents'] }, true, []],
    ['a need without a name is held by nothing', { needs: { integrations: ['|'] }, integrations: ['', '|'] }, false, ['integration:|']],
    ['an empty alternative does not hold', { needs: { integrations: ['slack|'] }, integrations: [''] }, false, ['integration:slack|']],
    ['a free account can use nothing', { capabilities: [] }, false, ['capability:tools']],
    [
      'a free account is told of tools once, also if the skill names them',
      { capabilities: [], needs: { capabilities: ['tools'] } },
      false,
      ['capability:tools'],
    ],
    ['a free account gets no always skill of its own', { capabilities: [], account: on('always') }, false, ['capability:tools']],
    ["an operator's text reaches a free account", { capabilities: [], operator: 'always' }, true, []],
    [
      "an operator's skill with tools does not",
      { capabilities: [], operator: 'always', needs: { profiles: ['docs'] } },
      false,
      ['capability:tools'],
    ],
    ['a model without tools can load nothing', { modelUsesTools: false }, false, ['model:tools']],
    ['a model without tools still reads an always skill of plain text', { modelUsesTools: false, chat: on('always') }, true, []],
    [
      'a model without tools gets no always skill that opens a profile',
      { modelUsesTools: false, chat: on('always'), needs: { profiles: ['docs'] } },
      false,
      ['model:tools'],
    ],
    [
      'a model without tools gets no always skill that names a tool',
      { modelUsesTools: false, chat: on('always'), needs: { tools: ['docs_read'] } },
      false,
      ['model:tools'],
    ],
    ['always with an unmet need injects nothing', { admin: 'always', needs: { integrations: ['slack'] } }, false, ['integration:slack']],
    [
      "an operator's always with an unmet need injects nothing",
      { operator: 'always', needs: { integrations: ['slack'] } },
      false,
      ['integration:slack'],
    ],
    [
      'a profile that nobody serves closes the skill',
      { needs: { profiles: ['docs', 'slack'] }, served: ['docs'] },
      false,
      ['profile-unserved:slack'],
    ],
    ['profiles are not checked when the served ones are unknown', { needs: { profiles: ['docs'] } }, true, []],
    ['an empty set of served profiles is not an unknown one', { needs: { profiles: ['docs'] }, served: [] }, false, ['profile-unserved:docs']],
    ['a broken package is unusable', { skill: { problems: ['line 3: no description'] } }, false, ['invalid:package']],
    ['a broken package stays closed under every lock', { operator: 'always', skill: { problems: ['x'] } }, false, ['invalid:package']],
    [
      'everything that is missing is named',
      { capabilities: [], modelUsesTools: false, needs: { integrations: ['slack'], profiles: ['slack'] }, served: [] },
      false,
      ['capability:tools', 'model:tools', 'integration:slack', 'profile-unserved:slack'],
    ],
  ];

  it.each(rows)('%s', (_sentence, scene, usable, unmet) => {
    const { decision } = decideScene(scene);
    expect({ usable: decision.usable, unmet: decision.unmet.map(({ kind, need }) => `${kind}:${need}`) }).toEqual({ usable, unmet });
  });

  it('says in one sentence what to do about each', () => {
    const { decision } = decideScene({
      capabilities: [],
      modelUsesTools: false,
      needs: { capabilities: ['sandbox'], integrations: ['gmail|outlook'], profiles: ['docs'] },
      served: [],
      skill: { problems: ['line 3, column 14: the value holds a colon.'] },
    });
    expect(decision.unmet.map(({ message }) => message)).toEqual([
      "The skill's package must be repaired before it can be used: line 3, column 14: the value holds a colon.",
      'This account has plain chat only; move it to a tier that includes tools to use skills.',
      'The chosen model cannot call tools; choose a model that can.',
      "The account's tier does not include sandbox; ask an account admin to move it to one that does.",
      'Connect gmail or outlook to this account, then try again.',
      'docs is served by no executor here; ask the operator to start one and approve it.',
    ]);
  });
});

describe('where a skill goes', () => {
  it.each([
    ['an available skill is listed', {}, 'listed'],
    ['an always skill is injected', { chat: on('always') }, 'injected'],
    ['an always skill with an unmet need is withheld', { chat: on('always'), needs: { integrations: ['slack'] } }, 'withheld'],
    ['a hidden skill is withheld', { skill: { hidden: true } }, 'withheld'],
    ['a hidden skill under the lock of the operator is injected', { skill: { hidden: true }, operator: 'always' }, 'injected'],
    ['a free account lists nothing', { capabilities: [] }, 'withheld'],
  ] as [string, Scene, string][])('%s', (_sentence, scene, standing) => {
    expect(standingOf(decideScene(scene).decision)).toBe(standing);
  });

  it.each([
    ['a listed skill may be loaded', {}, null],
    ['an injected one may be loaded again', { chat: on('always') }, null],
    ['never refuses the load', { chat: on('never') }, 'skill-never'],
    ['an unmet need refuses the load', { needs: { integrations: ['slack'] } }, 'skill-unmet'],
    ['a broken package refuses the load', { skill: { problems: ['x'] } }, 'skill-invalid'],
    ['a hidden skill refuses the load', { skill: { hidden: true } }, 'skill-hidden'],
    ['a hidden skill refuses the load also while it is injected', { skill: { hidden: true }, operator: 'always' }, 'skill-hidden'],
  ] as [string, Scene, string | null][])('%s', (_sentence, scene, slug) => {
    const { decision, hidden } = decideScene(scene);
    expect(loadRefusal(decision, hidden)?.slug ?? null).toBe(slug);
  });

  it('does not tell a hidden skill from one that does not exist', () => {
    const { decision, hidden } = decideScene({ skill: { hidden: true, problems: ['secret'] }, needs: { integrations: ['slack'] } });
    expect(loadRefusal(decision, hidden)?.message).toBe('There is no skill "memo" here; load only skills that are listed.');
  });
});

describe('input of a wrong shape', () => {
  it.each([
    [
      'an unknown state in the nearest scope closes the skill',
      { turn: { memo: 'sometimes' as SkillState }, account: on('always') },
      'never',
      'turn',
      'state:turn',
    ],
    ['an unknown state in a lock closes the skill', { operator: 'sometimes' as 'never' }, 'never', 'operator-lock', 'state:operator-lock'],
    [
      'requirements that cannot be read close the skill',
      { skill: { requires: { integrations: 'slack' } as never } },
      'available',
      'default',
      'invalid:package',
    ],
    ['a skill that does not say whether it is hidden is hidden', { skill: { hidden: undefined as never } }, 'never', 'hidden', undefined],
  ] as [string, Scene, SkillState, ScopeLayer, string | undefined][])('%s', (_sentence, scene, state, layer, reason) => {
    const { decision } = decideScene(scene);
    expect(decision).toMatchObject({ state, layer, usable: false });
    expect(decision.unmet.map(({ kind, need }) => `${kind}:${need}`)[0]).toBe(reason);
  });

  it('decides nothing for a list of skills that is none', () => {
    expect(resolveSkills({ skills: undefined } as never)).toEqual([]);
    expect(resolveSkills(undefined as never)).toEqual([]);
  });
});
