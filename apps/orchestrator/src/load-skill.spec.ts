import { describe, expect, it } from '@jest/globals';
import { loadSkill as loadSkillCall } from '@skillgate/contracts/calls/catalog';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import { breach, refuse, unavailable } from '@skillgate/contracts/refusal';
import { routeStep } from '@skillgate/contracts/route';
import { cancelledByUser } from './keep-lease.js';
import { loadSkill } from './load-skill.js';
import { resolvedOf, skillOf, toolOf } from './spec-support/facts.js';
import { fakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';

const memo = { ...skillOf('memo'), layer: 'default' as const, policyEpoch: 1 };
const granting = () => new FakeWire().on(loadSkillCall, () => memo).on(resolveTools, () => resolvedOf([toolOf('docs_read'), toolOf('docs_write')]));

async function load(wire: FakeWire, slug: unknown = 'memo') {
  const turn = fakeTurn(wire);
  const { content, step, skill } = await loadSkill(turn.context, 'c1', slug);
  expect(routeStep.safeParse(step).success).toBe(true);
  return { ...turn, step, skill, answer: JSON.parse(content) as Record<string, unknown> };
}
const stages = (published: { type: string }[]) => published.map((body) => ('progress' in body ? (body.progress as { stage: string }).stage : body.type));

describe('a load that both gates allow', () => {
  it('tells the model what is open, the route what happened, and the user both', async () => {
    const { answer, step, skill, published } = await load(granting());
    expect(answer).toMatchObject({ loaded: 'memo@1.0.0', profiles: ['docs'], tools: ['docs_read', 'docs_write'] });
    expect(JSON.stringify(answer)).not.toContain('How to do');
    expect(step).toMatchObject({ callId: 'c1', skill: 'memo', version: '1.0.0', layer: 'default', decision: 'loaded', reason: null, opened: ['docs_read', 'docs_write'] });
    expect(skill?.instructions).toBe('How to do memo.');
    expect(stages(published)).toEqual(['loading', 'loaded']);
  });

  it('shows the registry the catalog\'s receipt, and asks both under the turn\'s ticket', async () => {
    const wire = granting();
    await load(wire);
    expect(wire.sent.map(({ subject, input }) => [subject, input])).toEqual([
      [loadSkillCall.subject, { ticket: 'the.signed.ticket', slug: 'memo', modelUsesTools: true }],
      [resolveTools.subject, { ticket: 'the.signed.ticket', receipts: ['receipt.of.memo'] }],
    ]);
  });

  it('names what was withheld and why', async () => {
    const withheld = [{ name: 'docs/docs_write', slug: 'not-approved', message: 'An operator must approve it.' }];
    const wire = granting().on(resolveTools, () => resolvedOf([toolOf('docs_read')], { withheld }));
    const { answer, step } = await load(wire);
    expect(answer.withheld).toEqual([{ name: 'docs/docs_write', message: 'An operator must approve it.' }]);
    expect(step.withheld).toEqual(withheld);
  });
});

describe('a load that is refused', () => {
  it('by the catalog never reaches the registry and gives no instructions', async () => {
    const wire = granting().on(loadSkillCall, () => {
      throw refuse('skill-never', 'It is switched off.');
    });
    const { answer, step, skill, published, context } = await load(wire);
    expect(answer).toEqual({ refused: 'skill-never', message: 'It is switched off.' });
    expect(step).toMatchObject({ decision: 'refused', reason: 'skill-never', version: null, opened: [] });
    expect(skill).toBeUndefined();
    expect(wire.count(resolveTools.subject)).toBe(0);
    expect(stages(published)).toEqual(['loading', 'refused']);
    expect(context.held.tools).toEqual([]);
  });

  it('by the registry gives no instructions either', async () => {
    const withheld = [{ name: 'docs', slug: 'no-executor', message: 'Its executor is away.' }];
    const { answer, skill, context } = await load(granting().on(resolveTools, () => resolvedOf([], { withheld })));
    expect(answer).toEqual({ refused: 'nothing-opened', message: expect.stringContaining('Its executor is away.') });
    expect(skill).toBeUndefined();
    expect(context.held.tools).toEqual([]);
  });

  it.each([
    ['null', null],
    ['empty', ''],
    ['no text', { name: 'memo' }],
    ['longer than any slug', 'x'.repeat(201)],
  ])('when its slug is %s, without asking anybody', async (_, slug) => {
    const wire = granting();
    const { answer, step } = await load(wire, slug);
    expect(answer).toMatchObject({ refused: 'invalid-arguments' });
    expect(step).toMatchObject({ decision: 'refused', reason: 'invalid-arguments' });
    expect(wire.sent).toEqual([]);
  });
});

describe('a load that fails', () => {
  it('because the catalog is away is an answer that the model reads, not the end of the turn', async () => {
    const wire = granting().on(loadSkillCall, () => {
      throw unavailable('no-responder', 'No instance of "catalog" is there.');
    });
    const { answer, step } = await load(wire);
    expect(answer).toEqual({ error: 'no-responder', message: 'No instance of "catalog" is there.' });
    expect(step).toMatchObject({ decision: 'refused', reason: 'no-responder' });
  });

  it('by a broken contract says nothing of it to the model and all to the log', async () => {
    const wire = granting().on(loadSkillCall, () => {
      throw breach('invalid-output', 'inner words');
    });
    const { answer, logged } = await load(wire);
    expect(answer).toEqual({ error: 'invalid-output', message: 'The platform failed to make this call.' });
    expect(logged.join('')).toContain('inner words');
  });

  it('because the user stopped the turn says so', async () => {
    const turn = fakeTurn(
      granting().on(loadSkillCall, () => {
        turn.abort.abort(cancelledByUser());
        throw unavailable('cancelled', 'The call was cancelled by its caller');
      }),
    );
    const { step } = await loadSkill(turn.context, 'c1', 'memo');
    expect(step).toMatchObject({ decision: 'refused', reason: 'turn-cancelled' });
  });
});

describe('a load of what is active already', () => {
  it('asks nobody, loads nothing, and names the tools that are open now', async () => {
    const wire = granting();
    const { context } = fakeTurn(wire);
    await context.held.open(memo);
    context.loaded.push(memo);
    const asked = wire.sent.length;
    const { content, step, skill } = await loadSkill(context, 'c2', 'memo');
    expect(JSON.parse(content)).toMatchObject({ already_active: 'memo@1.0.0', tools: ['docs_read', 'docs_write'] });
    expect(step).toMatchObject({ decision: 'already-active', version: '1.0.0', profiles: [] });
    expect(skill).toBeUndefined();
    expect(wire.sent).toHaveLength(asked);
  });
});
