// Proves: a turn that waits for its user has no instance and loses nothing, and an approved call is made once, whoever dies meanwhile.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { repair } from '@skillgate/prompt/repair-history';
import type { ChatRequest } from '@skillgate/testing/script';
import { outcomeOf } from './spec-support/durable-house.js';
import { load, mailHouse, pause, send } from './spec-support/mail-house.js';
import { gate } from './spec-support/turn-world.js';

const t = mailHouse();
const lastResult = ({ messages }: ChatRequest) => String(messages.filter(({ role }) => role === 'tool').at(-1)?.content);
const rowOf = async () => {
  const [row] = await t.house.world.sql<{ status: string; held: boolean; attempt: number }>(t.who.account, 'SELECT status, lease_until > now() AS held, attempt FROM turns WHERE id = $1', [t.who.turn]);
  return row!;
};
const send2 = { toolCalls: [...send('A').toolCalls, { name: 'mail_read', arguments: { what: 'inbox' } }, ...send('B').toolCalls] };

beforeEach(() => {
  t.house.confirm = new Set(['mail_send']);
});

/** A turn that waits, begun by an instance that is gone by now. */
async function waits(script: Parameters<typeof t.house.script>[0] = [load, send('A')], limits: Record<string, string> = {}) {
  t.house.script(script);
  const first = await t.house.instance(limits);
  const heard = await t.house.follow(t.who);
  await first.ask(t.who);
  const asked = await t.house.asked(t.who);
  await first.turns.drain(5_000); // nothing runs: it lets the turn go by itself
  return { asked, heard };
}

describe('a turn whose call needs a yes', () => {
  it('waits without an instance and is not taken over', async () => {
    const { asked, heard } = await waits();
    (await t.house.instance()).takesOver();
    await pause(1_000);
    expect(await rowOf()).toEqual({ status: 'waiting', held: true, attempt: 1 });
    expect(t.effects).toEqual([]);
    expect(heard.flatMap(({ body }) => (body.type === 'progress' && body.progress.waiting ? body.progress.waiting.approvals : []))).toMatchObject([
      { tool: 'mail_send', arguments: { what: 'A' }, askedAt: asked[0]!.askedAt },
    ]);
  }, 30_000);

  it('goes on in another instance, which makes the call once', async () => {
    const { asked } = await waits();
    t.house.script([{ text: 'Sent.', expect: (request) => expect(lastResult(request)).toContain('"sent":"A"') }]);
    await t.house.approve(t.who, asked[0]!);
    (await t.house.instance()).takesOver();
    const { turn, steps } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2, outcome: { answer: 'Sent.' } });
    expect(steps.filter(({ kind }) => kind === 'model')).toHaveLength(3); // the one that asked for the call is not asked again
    expect(t.effects).toEqual(['A']);
    expect(repair(await t.history()).repairs).toEqual([]);
  }, 30_000);

  it('has its approved call made once when the instance that sent it stands still, and its successor sends it again', async () => {
    const { asked } = await waits();
    const sending = gate();
    t.whileSending = sending.wait;
    await t.house.approve(t.who, asked[0]!);
    const second = await t.house.instance();
    second.takesOver();
    await sending.arrived;
    second.freeze();
    t.house.script([{ text: 'Sent.', expect: (request) => expect(lastResult(request)).toContain('"sent":"A"') }]);
    await t.house.world.lapse(t.who);
    (await t.house.instance()).takesOver();
    await pause(500);
    sending.open();
    const { turn, steps } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 3 });
    expect(t.effects).toEqual(['A']);
    expect(steps.filter(({ kind }) => kind === 'tool')).toMatchObject([{ decision: 'ok', approval: { decision: 'approved' } }]);
  }, 30_000);

  it('has its approved call made when the instance that was about to send it died before', async () => {
    const { asked } = await waits();
    await t.house.approve(t.who, asked[0]!);
    const { callId, executor, tool, effect, profile, skill } = asked[0]!;
    const intents = { [callId]: { sentAs: callId, executor, tool, effect, profile, skill, approved: true } };
    await t.house.world.sql(
      t.who.account,
      `UPDATE turns SET status = 'running', attempt = 2, waits = 1, waiting_since = NULL, round = jsonb_set(round, '{intents}', $2) WHERE id = $1`,
      [t.who.turn, JSON.stringify(intents)],
    );
    t.house.script([{ text: 'Sent.' }]);
    (await t.house.instance()).takesOver();
    expect((await outcomeOf(t.house.world, t.who)).turn).toMatchObject({ status: 'finished', attempt: 3 });
    expect(t.effects).toEqual(['A']);
  }, 30_000);

  it('waits for all of its calls, makes none before, and then all in one round', async () => {
    const { asked } = await waits([load, send2]);
    (await t.house.instance()).takesOver();
    await t.house.approve(t.who, asked.find(({ arguments: { what } }) => what === 'A')!);
    await pause(800);
    expect([(await rowOf()).status, t.effects]).toEqual(['waiting', []]);
    t.house.script([{ text: 'Both.' }]);
    await t.house.approve(t.who, asked.find(({ arguments: { what } }) => what === 'B')!);
    const { steps } = await outcomeOf(t.house.world, t.who);
    expect(steps.flatMap((step) => (step.kind === 'tool' ? [`${step.tool} ${step.decision}`] : []))).toEqual(['mail_send ok', 'mail_read ok', 'mail_send ok']);
    expect([...t.effects].sort()).toEqual(['A', 'B']);
  }, 30_000);

  it('does not make a call whose approval was not used in time, and says so', async () => {
    const { asked } = await waits();
    t.house.script([{ text: 'Too late.', expect: (request) => expect(lastResult(request)).toContain('approval-expired') }]);
    await t.house.approve(t.who, asked[0]!, -1);
    (await t.house.instance()).takesOver();
    const { steps } = await outcomeOf(t.house.world, t.who);
    expect(steps.at(-2)).toMatchObject({ kind: 'tool', decision: 'refused', reason: 'approval-expired' });
    expect(t.effects).toEqual([]);
  }, 30_000);

  it('ends by itself when nobody answers, and its chat is valid and free', async () => {
    await waits([load, send('A')], { SKILLGATE_APPROVAL_MS: '1000' });
    (await t.house.instance()).takesOver();
    const { turn } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'failed', outcome: { error: { slug: 'approval-timeout' } } });
    expect(t.effects).toEqual([]);
    expect(repair(await t.history()).repairs).toEqual([]);
    expect(await t.house.approvals.list(t.who, false, 5)).toMatchObject([{ status: 'withdrawn' }]);
  }, 30_000);

  it('ends at once when it is cancelled', async () => {
    const { asked } = await waits();
    (await t.house.instance()).takesOver();
    expect(await t.house.world.store.requestCancel(t.who, t.who.turn)).toBe(true);
    const { turn } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'cancelled' });
    expect(t.effects).toEqual([]);
    await expect(t.house.approve(t.who, asked[0]!)).rejects.toMatchObject({ slug: 'approval-decided' });
    expect(repair(await t.history()).repairs).toEqual([]);
  }, 30_000);

  it("is nobody's to decide any more once it is cancelled, also while nobody has ended it", async () => {
    const { asked } = await waits();
    expect(await t.house.world.store.requestCancel(t.who, t.who.turn)).toBe(true);
    await expect(t.house.approve(t.who, asked[0]!)).rejects.toMatchObject({ slug: 'approval-decided', details: { status: 'withdrawn' } });
    expect((await t.house.approvals.get(t.who, asked[0]!.id)).approval).toMatchObject({ status: 'withdrawn', until: null });
    expect(await t.house.approvals.list(t.who, true, 5)).toEqual([]);
    (await t.house.instance()).takesOver();
    expect((await outcomeOf(t.house.world, t.who)).turn).toMatchObject({ status: 'cancelled' });
    expect(await t.house.approvals.list(t.who, false, 5)).toMatchObject([{ status: 'withdrawn' }]);
  }, 30_000);

  it('may wait more often than it may lose its instance, and waiting is no time of its own', async () => {
    let { asked } = await waits();
    const instance = await t.house.instance({ SKILLGATE_TURN_MS: '10000', SKILLGATE_TURN_STEPS: '50' });
    instance.takesOver();
    await t.house.world.sql(t.who.account, `UPDATE turns SET started_at = now() - interval '2 hours', waiting_since = now() - interval '2 hours' WHERE id = $1`, [t.who.turn]);
    const rounds = 12;
    t.house.script([...Array.from({ length: rounds - 1 }, () => send('again')), { text: 'Enough.' }]);
    for (let n = 0; n < rounds; n += 1) {
      await t.house.approve(t.who, asked[0]!);
      if (n === rounds - 1) break;
      const last = asked[0]!.id;
      for (;;) {
        asked = await t.house.asked(t.who);
        if (asked[0] && asked[0].id !== last) break;
        await pause(20);
      }
    }
    const { turn } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'finished', attempt: rounds + 1 });
    expect(t.effects).toHaveLength(rounds);
  }, 60_000);
});
