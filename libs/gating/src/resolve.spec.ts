import { describe, expect, it } from '@jest/globals';
import type { SkillState } from '@skillgate/contracts/words';
import { decideAll, setScene, verdict, type Scene } from './scene.fixture.js';

const on = (state: SkillState) => ({ memo: state });
const gone = { integrations: ['slack'] };
const either = { integrations: ['gmail|outlook'] };

/** One sentence, one scene, and all that follows: state, deciding layer, listed or injected, the refusal of a load, what is missing. */
const cases: Record<string, [sentence: string, scene: Scene, follows: string][]> = {
  'which layer decides': [
    ['a skill that nobody mentions keeps its default', {}, 'available by default: listed'],
    ['a default of never is kept', { skill: { defaultState: 'never' } }, 'never by default: skill-never'],
    ['a default of always is kept', { skill: { defaultState: 'always' } }, 'always by default: injected'],
    ['the account overrides the default', { account: on('never') }, 'never by account: skill-never'],
    ['the account opens a skill whose default is never', { skill: { defaultState: 'never' }, account: on('available') }, 'available by account: listed'],
    ['the account calms a skill whose default is always', { skill: { defaultState: 'always' }, account: on('available') }, 'available by account: listed'],
    ['the persona overrides the account', { account: on('never'), persona: on('always') }, 'always by persona: injected'],
    ['the persona switches off what the account has on', { account: on('always'), persona: on('never') }, 'never by persona: skill-never'],
    ['the chat overrides the persona', { persona: on('always'), chat: on('never') }, 'never by chat: skill-never'],
    ['the chat overrides the account where the persona is silent', { account: on('never'), chat: on('available') }, 'available by chat: listed'],
    ['the turn overrides the chat', { chat: on('never'), turn: on('available') }, 'available by turn: listed'],
    ['the turn overrides all other scopes at once', { account: on('never'), persona: on('never'), chat: on('never'), turn: on('always') }, 'always by turn: injected'],
    ['the turn switches off what all others have on', { account: on('always'), persona: on('always'), chat: on('always'), turn: on('never') }, 'never by turn: skill-never'],
    ['a setting for another skill decides nothing', { turn: { other: 'never' } }, 'available by default: listed'],
    ['a skill named constructor is not found among inherited properties', { skill: { slug: 'constructor' } }, 'available by default: listed'],
    ['a skill named constructor is found where somebody set it', { skill: { slug: 'constructor' }, chat: { constructor: 'never' } as never }, 'never by chat: skill-never'],
  ],
  locks: [
    ["the admin's lock binds the turn", { turn: on('always'), admin: 'never' }, 'never by admin-lock: skill-never'],
    ["the admin's lock of always binds a turn that says never", { turn: on('never'), admin: 'always' }, 'always by admin-lock: injected'],
    ["the admin's lock binds every scope at once", { turn: on('always'), chat: on('always'), persona: on('always'), account: on('always'), admin: 'never' }, 'never by admin-lock: skill-never'],
    ["the operator's lock stands above the admin's", { admin: 'always', operator: 'never' }, 'never by operator-lock: skill-never'],
    ["the operator's lock of always stands above the admin's never", { admin: 'never', operator: 'always' }, 'always by operator-lock: injected'],
    ["the operator's lock binds every scope", { turn: on('always'), chat: on('always'), operator: 'never' }, 'never by operator-lock: skill-never'],
    ["the operator's lock of always opens what the default closes", { skill: { defaultState: 'never' }, operator: 'always' }, 'always by operator-lock: injected'],
    ['a lock of always meets no need by itself', { admin: 'always', needs: gone }, 'always by admin-lock: skill-unmet integration:slack'],
    ["nor does the operator's", { operator: 'always', needs: gone }, 'always by operator-lock: skill-unmet integration:slack'],
    ['a lock of never is said before anything that is missing', { operator: 'never', needs: gone }, 'never by operator-lock: skill-never integration:slack'],
  ],
  'hidden skills': [
    ['a hidden skill stays hidden', { skill: { hidden: true } }, 'never by hidden: skill-hidden'],
    ['a hidden skill ignores its own default', { skill: { hidden: true, defaultState: 'always' } }, 'never by hidden: skill-hidden'],
    ['a turn cannot touch a hidden skill', { skill: { hidden: true }, turn: on('always') }, 'never by hidden: skill-hidden'],
    ['a chat cannot touch a hidden skill', { skill: { hidden: true }, chat: on('available') }, 'never by hidden: skill-hidden'],
    ['a persona cannot touch a hidden skill', { skill: { hidden: true }, persona: on('always') }, 'never by hidden: skill-hidden'],
    ['an account cannot touch a hidden skill', { skill: { hidden: true }, account: on('available') }, 'never by hidden: skill-hidden'],
    ["an admin's lock cannot touch a hidden skill", { skill: { hidden: true }, admin: 'always' }, 'never by hidden: skill-hidden'],
    ["only the operator's lock reaches a hidden skill, and even then nobody loads it", { skill: { hidden: true }, operator: 'always' }, 'always by operator-lock: injected, skill-hidden'],
    ["the operator's never on a hidden skill is said as such", { skill: { hidden: true }, operator: 'never' }, 'never by operator-lock: skill-hidden'],
    ['a hidden skill says nothing of its needs to who loads it', { skill: { hidden: true }, needs: gone }, 'never by hidden: skill-hidden integration:slack'],
    ['a hidden skill under lock with an unmet need is not injected', { skill: { hidden: true }, operator: 'always', needs: gone }, 'always by operator-lock: skill-hidden integration:slack'],
  ],
  'what must be connected or carried by the tier': [
    ['a Slack skill stays closed until Slack is connected', { needs: gone }, 'available by default: skill-unmet integration:slack'],
    ['a Slack skill opens once Slack is connected', { needs: gone, integrations: ['slack'] }, 'available by default: listed'],
    ['a Slack skill that is always there is injected once Slack is connected', { chat: on('always'), needs: gone, integrations: ['slack'] }, 'always by chat: injected'],
    ['either of two integrations is enough', { needs: either, integrations: ['outlook'] }, 'available by default: listed'],
    ['both of two are no less', { needs: either, integrations: ['outlook', 'gmail'] }, 'available by default: listed'],
    ['neither of two integrations is one unmet need', { needs: either }, 'available by default: skill-unmet integration:gmail|outlook'],
    ['separate needs must all hold: the first alone is not enough', { needs: { integrations: ['gmail', 'slack'] }, integrations: ['gmail'] }, 'available by default: skill-unmet integration:slack'],
    ['nor is the second alone', { needs: { integrations: ['gmail', 'slack'] }, integrations: ['slack'] }, 'available by default: skill-unmet integration:gmail'],
    ['an any-of need and a plain one must both hold', { needs: { integrations: ['gmail|outlook', 'slack'] }, integrations: ['gmail'] }, 'available by default: skill-unmet integration:slack'],
    ['an integration is not a capability', { needs: { capabilities: ['slack'] }, integrations: ['slack'] }, 'available by default: skill-unmet capability:slack'],
    ['a capability is not an integration', { needs: gone, capabilities: ['tools', 'slack'] }, 'available by default: skill-unmet integration:slack'],
    ['a missing capability closes the skill', { needs: { capabilities: ['sandbox'] } }, 'available by default: skill-unmet capability:sandbox'],
    ['a capability that is there opens it', { needs: { capabilities: ['sandbox'] }, capabilities: ['tools', 'sandbox'] }, 'available by default: listed'],
    ['any-of works for capabilities', { needs: { capabilities: ['sandbox|subagents'] }, capabilities: ['tools', 'subagents'] }, 'available by default: listed'],
    ['a need without a name is held by nothing', { needs: { integrations: ['|'] }, integrations: ['', '|'] }, 'available by default: skill-unmet integration:|'],
    ['an empty alternative does not hold', { needs: { integrations: ['slack|'] }, integrations: [''] }, 'available by default: skill-unmet integration:slack|'],
    ['always with an unmet need injects nothing', { chat: on('always'), needs: gone }, 'always by chat: skill-unmet integration:slack'],
    ['never is unusable though nothing is missing', { turn: on('never') }, 'never by turn: skill-never'],
  ],
  'accounts and models without tools': [
    ['a free account can use nothing', { capabilities: [] }, 'available by default: skill-unmet capability:tools'],
    ['a free account is told of tools once, also if the skill names them', { capabilities: [], needs: { capabilities: ['tools'] } }, 'available by default: skill-unmet capability:tools'],
    ['a free account gets no always skill of its own', { capabilities: [], account: on('always') }, 'always by account: skill-unmet capability:tools'],
    ["nor one of its admin's lock", { capabilities: [], admin: 'always' }, 'always by admin-lock: skill-unmet capability:tools'],
    ["an operator's text reaches a free account", { capabilities: [], operator: 'always' }, 'always by operator-lock: injected'],
    ["an operator's skill with tools does not", { capabilities: [], operator: 'always', needs: { profiles: ['docs'] } }, 'always by operator-lock: skill-unmet capability:tools'],
    ['a model without tools can load nothing', { modelUsesTools: false }, 'available by default: skill-unmet model:tools'],
    ['a model without tools still reads an always skill of plain text', { modelUsesTools: false, chat: on('always') }, 'always by chat: injected'],
    ['a model without tools gets no always skill that opens a profile', { modelUsesTools: false, chat: on('always'), needs: { profiles: ['docs'] } }, 'always by chat: skill-unmet model:tools'],
    ['a model without tools gets no always skill that names a tool', { modelUsesTools: false, chat: on('always'), needs: { tools: ['docs_read'] } }, 'always by chat: skill-unmet model:tools'],
  ],
  'profiles and packages': [
    ['a profile that nobody serves closes the skill', { needs: { profiles: ['docs', 'slack'] }, served: ['docs'] }, 'available by default: skill-unmet profile-unserved:slack'],
    ['profiles that are served open it', { needs: { profiles: ['docs', 'slack'] }, served: ['docs', 'slack'] }, 'available by default: listed'],
    ['profiles are not checked when the served ones are unknown', { needs: { profiles: ['docs'] } }, 'available by default: listed'],
    ['an empty set of served profiles is not an unknown one', { needs: { profiles: ['docs'] }, served: [] }, 'available by default: skill-unmet profile-unserved:docs'],
    ['a skill without profiles needs nobody to serve any', { served: [] }, 'available by default: listed'],
    ['a broken package is unusable', { skill: { problems: ['line 3: no description'] } }, 'available by default: skill-invalid invalid:package'],
    ['a broken package stays closed under every lock', { operator: 'always', skill: { problems: ['x'] } }, 'always by operator-lock: skill-invalid invalid:package'],
    ['a broken package is said before what is missing', { skill: { problems: ['x'] }, needs: gone }, 'available by default: skill-invalid invalid:package integration:slack'],
    [
      'everything that is missing is named',
      { capabilities: [], modelUsesTools: false, needs: { integrations: ['slack'], profiles: ['slack'] }, served: [] },
      'available by default: skill-unmet capability:tools model:tools integration:slack profile-unserved:slack',
    ],
  ],
};

describe.each(Object.entries(cases))('%s', (_what, rows) => {
  it.each(rows)('%s', (_sentence, scene, follows) => {
    const { skill, situation } = setScene(scene);
    expect(verdict(decideAll(skill, situation), skill.hidden)).toBe(follows);
  });
});

describe('the table', () => {
  it('has at least 60 cases, and no sentence twice', () => {
    const sentences = Object.values(cases).flatMap((rows) => rows.map(([sentence]) => sentence));
    expect(sentences.length).toBeGreaterThanOrEqual(60);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});
