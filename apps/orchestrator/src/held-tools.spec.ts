import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import { refuse } from '@skillgate/contracts/refusal';
import { HeldTools } from './held-tools.js';
import { grantOf, resolvedOf, skillOf, toolOf } from './spec-support/facts.js';
import { FakeWire } from './spec-support/fake-wire.js';

const [read, write] = [toolOf('docs_read'), toolOf('docs_write', { effect: 'write' })];
const post = toolOf('slack_post', { profile: 'slack', executor: 'slack', skill: 'slack@1.0.0' });
const [memo, slack] = [skillOf('memo'), skillOf('slack', { requires: { capabilities: [], integrations: [], profiles: ['slack'], tools: [] } })];
const names = (held: HeldTools) => held.tools.map((tool) => tool.name);

function heldOver(...answers: ReturnType<typeof resolvedOf>[]) {
  const wire = new FakeWire().on(resolveTools, () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (!answer) throw refuse('tools-not-allowed', 'This account has plain chat only.');
    return answer;
  });
  return { wire, held: new HeldTools(wire.wire, 'ticket', new AbortController().signal) };
}
const receiptsOf = (wire: FakeWire) => wire.sent.map(({ input }) => (input as { receipts: string[] }).receipts);

describe('opening', () => {
  it('shows the registry the receipts of all skills so far', async () => {
    const { wire, held } = heldOver(resolvedOf([read]), resolvedOf([read, post]));
    await held.open(memo);
    expect(await held.open(slack)).toEqual({ profiles: ['slack'], tools: [post], withheld: [] });
    expect(receiptsOf(wire)).toEqual([['receipt.of.memo'], ['receipt.of.memo', 'receipt.of.slack']]);
    expect(names(held)).toEqual(['docs_read', 'slack_post']);
  });

  it('changes nothing when the skill needs tools and none can open', async () => {
    const withheld = [{ name: 'slack', slug: 'integration-missing', message: 'Connect Slack.' }];
    const { wire, held } = heldOver(resolvedOf([read]), resolvedOf([read], { withheld }), resolvedOf([read]));
    await held.open(memo);
    await expect(held.open(slack)).rejects.toMatchObject({ kind: 'refusal', slug: 'nothing-opened', message: '"slack" needs tools and none of them can open now. slack: Connect Slack.' });
    expect(names(held)).toEqual(['docs_read']);
    expect(held.withheld).toEqual([]);
    await held.open(memo);
    expect(receiptsOf(wire).at(-1)).toEqual(['receipt.of.memo', 'receipt.of.memo']); // not that of slack
  });

  it('changes nothing when the registry cannot answer', async () => {
    const { held } = heldOver();
    await expect(held.open(memo)).rejects.toMatchObject({ slug: 'tools-not-allowed' });
    expect(held.tools).toEqual([]);
  });

  it('is fine with a skill that needs no tools', async () => {
    const { held } = heldOver(resolvedOf([]));
    const plain = skillOf('plain', { requires: { capabilities: [], integrations: [], profiles: [], tools: [] } });
    expect(await held.open(plain)).toEqual({ profiles: [], tools: [], withheld: [] });
  });

  it('opens a tool that the skill names alone, and says what of it was withheld', async () => {
    const alone = skillOf('alone', { requires: { capabilities: [], integrations: [], profiles: [], tools: ['docs_read', 'slack_post'] } });
    const withheld = [{ name: 'slack/slack_post', slug: 'not-approved', message: 'Not approved.' }];
    const { held } = heldOver(resolvedOf([read], { profiles: [], withheld }));
    expect(await held.open(alone)).toEqual({ profiles: [], tools: [read], withheld });
    expect(held.toolsOf(alone)).toEqual([read]);
  });

  it('takes a need of either for both', async () => {
    const either = skillOf('either', { requires: { capabilities: [], integrations: [], profiles: ['google|slack'] as string[], tools: [] } });
    expect((await heldOver(resolvedOf([post])).held.open(either)).tools).toEqual([post]);
  });

  it('keeps tools in the order in which they opened, as they were first seen', async () => {
    const changed = { ...read, description: 'Other words.' };
    const { held } = heldOver(resolvedOf([read, write]), resolvedOf([post, write, changed]));
    await held.open(memo);
    await held.open(slack);
    expect(held.tools).toEqual([read, write, post]);
  });

  it('asks nobody when nothing is active at the start of a turn, else for all in one call', async () => {
    const { wire, held } = heldOver(resolvedOf([read, post], { policyEpoch: 7 }));
    expect(await held.openAll([])).toBeUndefined();
    expect(wire.sent).toEqual([]);
    expect(await held.openAll([memo, slack])).toBe(7);
    expect(receiptsOf(wire)).toEqual([['receipt.of.memo', 'receipt.of.slack']]);
  });
});

describe('a grant', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const granted = (id: string) => resolvedOf([read], { grants: [grantOf('docs', { id })] });

  it.each([
    ['is used while it has more than ten seconds', 49_999, 'first', 1],
    ['is renewed when it has ten seconds left', 50_000, 'second', 2],
    ['is renewed when it has ended', 90_000, 'second', 2],
  ])('%s', async (_, ms, id, asked) => {
    const { wire, held } = heldOver(granted('first'), granted('second'));
    await held.open(memo);
    jest.advanceTimersByTime(ms);
    expect((await held.grantFor(read))?.id).toBe(id);
    expect(wire.sent).toHaveLength(asked);
  });

  it('is renewed once for calls that run side by side, and again the next time', async () => {
    const { wire, held } = heldOver(granted('first'), granted('second'), granted('third'));
    await held.open(memo);
    jest.advanceTimersByTime(55_000);
    const grants = await Promise.all([held.grantFor(read), held.grantFor(read), held.grantFor(read)]);
    expect(grants.map((grant) => grant?.id)).toEqual(['second', 'second', 'second']);
    expect(wire.sent).toHaveLength(2);
    jest.advanceTimersByTime(120_000);
    expect((await held.grantFor(read))?.id).not.toBe('second');
    expect(receiptsOf(wire).at(-1)).toEqual(['receipt.of.memo']);
  });

  it('is not given for a tool that the registry opens no more, with its reason at hand', async () => {
    const withheld = [{ name: 'docs/docs_write', slug: 'not-approved', message: 'Not approved any more.' }];
    const { held } = heldOver(resolvedOf([read, write]), resolvedOf([read], { withheld }));
    await held.open(memo);
    jest.advanceTimersByTime(55_000);
    expect(await held.grantFor(write)).toBeUndefined();
    expect(await held.grantFor(read)).toMatchObject({ executor: 'docs' });
    expect(held.withheld).toEqual(withheld);
    expect(names(held)).toEqual(['docs_read', 'docs_write']); // the model saw both
    expect(held.toolsOf(memo)).toEqual([read]);
  });

  it('is not given when the renewal is refused, and the refusal is told', async () => {
    const { wire, held } = heldOver(granted('first'));
    await held.open(memo);
    wire.on(resolveTools, () => {
      throw refuse('tools-not-allowed', 'This account has plain chat only.');
    });
    jest.advanceTimersByTime(55_000);
    await expect(held.grantFor(read)).rejects.toMatchObject({ slug: 'tools-not-allowed' });
    wire.on(resolveTools, () => granted('later'));
    expect((await held.grantFor(read))?.id).toBe('later'); // the failure is not held
  });
});

describe('a policy that was raised', () => {
  let heard = 0;
  beforeEach(() => {
    heard = 0;
  });
  const epochsOf = (wire: FakeWire) => wire.sent.map(({ input }) => (input as { minEpoch?: number }).minEpoch);
  const granted = (id: string, policyEpoch: number) => resolvedOf([read], { policyEpoch, grants: [grantOf('docs', { id })] });
  function over(...answers: ReturnType<typeof resolvedOf>[]) {
    const wire = new FakeWire().on(resolveTools, () => (answers.length > 1 ? answers.shift() : answers[0])!);
    return { wire, held: new HeldTools(wire.wire, 'ticket', new AbortController().signal, () => heard) };
  }

  it('makes grants outdated, however long they live: the next call is made under one of the new epoch', async () => {
    const { wire, held } = over(granted('old', 1), granted('new', 2));
    await held.open(memo);
    heard = 1;
    expect((await held.grantFor(read))?.id).toBe('old');
    heard = 2;
    expect((await held.grantFor(read))?.id).toBe('new');
    expect(epochsOf(wire)).toEqual([undefined, 2]);
    expect((await held.grantFor(read))?.id).toBe('new');
    expect(wire.sent).toHaveLength(2);
  });

  it('is also learned from an executor, and demanded of the registry from then on', async () => {
    const { wire, held } = over(granted('old', 1), granted('new', 5));
    await held.open(memo);
    const old = await held.grantFor(read);
    expect((await held.grantAfter(read, old!, 5))?.id).toBe('new');
    expect(epochsOf(wire)).toEqual([undefined, 5]);
    expect(held.newestEpoch).toBe(5);
  });

  it('needs one renewal for calls that run side by side', async () => {
    const { wire, held } = over(granted('old', 1), granted('new', 5));
    await held.open(memo);
    const old = await held.grantFor(read);
    const grants = await Promise.all([1, 2, 3].map(() => held.grantAfter(read, old!, 5)));
    expect(grants.map((grant) => grant?.id)).toEqual(['new', 'new', 'new']);
    expect(wire.sent).toHaveLength(2);
  });

  it('while a renewal is under way makes another one, since that one may have been decided before', async () => {
    const { wire, held } = over(granted('old', 1));
    await held.open(memo);
    let answer = (_with: ReturnType<typeof resolvedOf>): void => undefined;
    wire.on(resolveTools, () => new Promise<ReturnType<typeof resolvedOf>>((resolve) => (answer = resolve)));
    heard = 2;
    const first = held.grantFor(read);
    await Promise.resolve();
    heard = 3;
    const second = held.grantFor(read);
    await new Promise(setImmediate);
    wire.on(resolveTools, () => granted('newest', 3));
    answer(granted('new', 2));
    expect((await first)?.id).toBe('new');
    expect((await second)?.id).toBe('newest');
  });

  it('asks again for a grant that its executor calls expired, though it seems fresh here', async () => {
    const { held } = over(granted('old', 1), granted('new', 1));
    await held.open(memo);
    const old = await held.grantFor(read);
    expect((await held.grantAfter(read, old!))?.id).toBe('new');
  });

  it('renews a short grant in its last sixth, so that it is not renewed before every call', async () => {
    jest.useFakeTimers();
    const short = () => resolvedOf([read], { grants: [grantOf('docs', { expiresAt: Date.now() + 3_000 })] });
    const wire = new FakeWire().on(resolveTools, short);
    const held = new HeldTools(wire.wire, 'ticket', new AbortController().signal);
    await held.open(memo);
    jest.advanceTimersByTime(2_400);
    await held.grantFor(read);
    expect(wire.sent).toHaveLength(1);
    jest.advanceTimersByTime(200);
    await held.grantFor(read);
    expect(wire.sent).toHaveLength(2);
    jest.useRealTimers();
  });

  it('opens what the skills of now open, and nothing is left where there is no skill', async () => {
    const { held } = over(resolvedOf([read, write]), resolvedOf([read]));
    await held.openAll([memo]);
    expect(await held.openAll([])).toBeUndefined();
    expect(held.grantedTools).toEqual([]);
    expect(held.tools).toEqual([read, write]); // the model saw both
  });
});
