import { describe, expect, it } from '@jest/globals';
import { route, type RouteStep } from '@skillgate/contracts/route';
import { buildRoute } from './build-route.js';
import type { TurnRow } from './entities.js';
import { digestOf, turnOf } from './spec-support/facts.js';

type Load = Extract<RouteStep, { kind: 'load' }>;
type ToolStep = Extract<RouteStep, { kind: 'tool' }>;

const { turn: id, ...ids } = turnOf();
const row = (change: Partial<TurnRow> = {}): TurnRow => ({
  ...ids,
  id,
  status: 'finished',
  startedAt: new Date(1_000),
  endedAt: new Date(3_500),
  leaseUntil: new Date(9_000),
  cancelRequested: false,
  outcome: null,
  ...{ request: null, usage: null, round: null },
  facts: { visible: ['memo'], withheld: [], tokens: { base: 1, catalog: 2, loaded: 3, tools: 4, conversation: 5, monolith: 6 }, catalogHash: 'h' },
  ...change,
});
const load = (change: Partial<Load> = {}): Load => ({
  ...{ kind: 'load', ms: 1, callId: 'c1', skill: 'memo', version: '1.0.0', digest: digestOf('a'), layer: 'default' },
  ...{ profiles: ['docs'], opened: ['docs_read'], withheld: [], decision: 'loaded', reason: null },
  ...change,
});
const tool = (name: string, change: Partial<ToolStep> = {}): ToolStep => ({
  ...{ kind: 'tool', ms: 1, callId: 'c2', tool: name, profile: 'docs', skill: 'memo@1.0.0', executor: 'docs' },
  ...{ effect: 'read', grantId: 'g', decision: 'ok', reason: null, artifacts: [] },
  ...change,
});
const own = tool('list_skills', { profile: null, skill: null, executor: null, effect: null });
const refusedLoad = load({ version: null, digest: null, profiles: [], opened: [], decision: 'refused', reason: 'skill-never' });

const unasked = { skillVisible: null, skillLoaded: null, profileOpened: null, toolSelected: null, argumentsValid: null };
const allYes = { skillVisible: true, skillLoaded: true, profileOpened: true, toolSelected: true, argumentsValid: true };

describe('the six questions of a route', () => {
  it.each<[string, RouteStep[], object]>([
    ['a plain answer leaves those about skills open', [], { ...unasked, taskDone: true }],
    ['the house\'s own tools ask for no skill', [own], { ...unasked, taskDone: true }],
    ['load, open, call, done', [load(), tool('docs_read')], { ...allYes, taskDone: true }],
    ['a refused load opened nothing', [refusedLoad], { ...unasked, skillVisible: true, skillLoaded: false, profileOpened: false, toolSelected: false, taskDone: true }],
    ['a skill that was not listed was not visible', [load({ skill: 'house-style' })], { skillVisible: false, skillLoaded: true }],
    ['a skill that is always there counts as visible', [load({ skill: 'house-style', profiles: [], decision: 'already-active' })], { skillVisible: true }],
    ['a skill loaded in an earlier turn needs no load in this one', [tool('docs_read')], { ...allYes, skillVisible: null, skillLoaded: null, taskDone: true }],
    ['arguments that the executor refused', [load(), tool('docs_read', { decision: 'refused', reason: 'invalid-arguments' })], { argumentsValid: false, taskDone: false }],
    [
      'a call that went wrong and later went right is no obstacle',
      [load(), tool('docs_read', { decision: 'refused', reason: 'invalid-arguments' }), tool('docs_read')],
      { argumentsValid: false, taskDone: true },
    ],
    ['a right call before the wrong one does not make it good', [load(), tool('docs_read'), tool('docs_read', { decision: 'failed' })], { taskDone: false }],
    ['another tool does not make it good', [load(), tool('docs_write', { decision: 'unknown' }), tool('docs_read')], { taskDone: false }],
  ])('%s', (_, steps, questions) => {
    expect(buildRoute(row(), steps).questions).toMatchObject(questions);
  });

  it.each<[TurnRow['status'], boolean | null]>([
    ['running', null],
    ['failed', false],
    ['cancelled', false],
  ])('of a turn that is %s: done is %s', (status, done) => {
    expect(buildRoute(row({ status }), []).questions.taskDone).toBe(done);
  });
});

describe('a route', () => {
  it('keeps its contract, running or ended', () => {
    expect(route.parse(buildRoute(row(), [load(), tool('docs_read')]))).toMatchObject({ turn: id, ms: 2_500, catalogHash: 'h', visible: ['memo'] });
    expect(route.parse(buildRoute(row({ status: 'running', endedAt: null, facts: null }), []))).toMatchObject({ ms: null, visible: [], catalogHash: null });
  });

  it('names each skill once, with its profiles and the tools that ran, in load order', () => {
    const steps = [load(), load({ skill: 'agenda', profiles: [], opened: [] }), tool('docs_read'), tool('docs_read'), tool('docs_write'), load({ profiles: [], decision: 'already-active' })];
    expect(buildRoute(row(), steps).skills).toEqual([
      { skill: 'memo', version: '1.0.0', profiles: ['docs'], tools: ['docs_read', 'docs_write'] },
      { skill: 'agenda', version: '1.0.0', profiles: [], tools: [] },
    ]);
  });

  it('names the skill of a tool also when it was loaded in an earlier turn, and none that was refused', () => {
    expect(buildRoute(row(), [refusedLoad, tool('slack_post', { profile: 'slack', skill: 'slack@2.0.0' })]).skills).toEqual([
      { skill: 'slack', version: '2.0.0', profiles: ['slack'], tools: ['slack_post'] },
    ]);
  });
});
