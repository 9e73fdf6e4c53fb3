// Proves: what needs its user's yes is not done without one, is done once and exactly as it was allowed, and waits as long as it must.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest, ScriptStep } from '@skillgate/testing/script';
import { startMailHouse, until } from './mail-house.fixture.js';

const load: ScriptStep = { text: 'I write to Ann. ', toolCalls: [{ name: 'load_skill', arguments: { slug: 'briefing-memo' } }] };
const mail = { to: 'ann@example.com', text: 'Hello \u201cAnn\u201d' };
const send: ScriptStep = { text: 'Sending. ', toolCalls: [{ name: 'mail_send', arguments: mail }] };
const done: ScriptStep = { text: 'That was it.' };
const lastResult = ({ messages }: ChatRequest): string => String(messages.findLast(({ role }) => role === 'tool')?.content);

let t: Awaited<ReturnType<typeof startMailHouse>>;
beforeAll(async () => {
  t = await startMailHouse();
}, 120_000);
afterAll(() => t?.stop(), 60_000);
afterEach(() => {
  t.model.assertConsumed();
  t.sent.length = 0;
});

/** A turn that waits, and the call that it waits for. */
async function waitingTurn() {
  const answer = await t.ask([load, send]);
  const [call] = (await t.pending()).filter(({ turn }) => turn === answer.turn);
  return { ...answer, call: call! };
}
interface Step { kind: string; tool?: string; decision?: string; reason?: string; approval?: Record<string, string> }
const toolStep = async (turn: string) => (await t.read<{ steps: Step[] }>(`/api/v1/turns/${turn}/route`)).steps.find(({ tool }) => tool === 'mail_send');

describe('a call under confirm', () => {
  it('is not made: the answer ends with what waits, and the API has exactly what it would be made with', async () => {
    const { text, chunks, turn, lines, call } = await waitingTurn();
    expect(t.sent).toEqual([]);
    expect(text).toContain('Sending.');
    expect(text).toContain(`/api/v1/approvals/${call.id}/approve`);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(lines.at(-1)).toBe('data: [DONE]');
    expect(call).toMatchObject({ tool: 'mail_send', effect: 'external', executor: 'mail', profile: 'docs', arguments: mail, status: 'pending' });
    expect(await t.read(`/api/v1/turns/${turn}`)).toMatchObject({ status: 'running', outcome: null, waiting: { approvals: [{ id: call.id, arguments: mail }] } });
    expect(await t.read(`/api/v1/turns/${turn}/route`)).toMatchObject({ status: 'running', waiting: true });
    await t.request('POST', `/api/v1/turns/${turn}/cancel`);
    expect(await t.ended(turn)).toMatchObject({ status: 'cancelled' });
    expect(await t.read(`/api/v1/approvals/${call.id}`)).toMatchObject({ status: 'withdrawn', until: null });
  }, 30_000);

  it('is made once when it is approved, and the turn goes on where it was', async () => {
    const { turn, chat, call, text } = await waitingTurn();
    const place = [...(await stream(turn)).matchAll(/^id: (\S+)$/gm)].at(-1)![1]!;
    t.model.extend([{ ...done, expect: (request) => expect(lastResult(request)).toContain('"number":1') }]);
    expect(await (await t.decide(call.id, 'approve')).json()).toMatchObject({ approval: { status: 'approved' }, pending: 0 });
    expect((await t.ended(turn)).outcome).toMatchObject({ answer: 'I write to Ann. \n\nSending. \n\nThat was it.', error: null });
    expect(t.sent).toEqual([mail]);
    expect(await toolStep(turn)).toMatchObject({ decision: 'ok', approval: { id: call.id, decision: 'approved', askedHash: call.argumentsHash, argumentsHash: call.argumentsHash } });
    const rest = await stream(turn, place);
    expect(text).not.toContain('That was it.');
    expect(rest).toContain('That was it.');
    expect(rest).not.toContain('Sending.');
    expect(rest).not.toContain('interrupted');
    t.model.extend([{ text: 'Gladly.', expect: ({ messages }) => expect(JSON.stringify(messages)).toContain('ann@example.com') }]);
    const next = await t.request('POST', '/v1/chat/completions', undefined, { model: 'scripted-model', messages: [{ role: 'user', content: 'Thanks.' }], skillgate: { chat_id: chat } });
    expect(next.status).toBe(200);
  }, 30_000);

  it('goes on in a trace of its own, which is linked to that of its turn', async () => {
    const { turn, call } = await waitingTurn();
    const { traceId } = await t.read<{ traceId: string }>(`/api/v1/turns/${turn}/route`);
    t.model.extend([done]);
    await t.decide(call.id, 'approve');
    await t.ended(turn);
    const spans = await t.house.receiver!.until((all) => all.some((span) => span.name.startsWith('invoke_agent') && span.attributes['skillgate.turn.id'] === turn && span.traceId !== traceId));
    const attempts = spans.filter((span) => span.name.startsWith('invoke_agent') && span.attributes['skillgate.turn.id'] === turn);
    expect(attempts.map((span) => span.attributes['skillgate.turn.status'])).toEqual(['waiting', 'finished']);
    expect(attempts[0]!.traceId).toBe(traceId);
    expect(attempts[1]!.links?.map((link) => link.traceId)).toContain(traceId);
    expect(attempts[1]!.links).toHaveLength(2); // and to the request that approved it
  }, 30_000);

  it('is not made when it is denied, and the model reads why', async () => {
    const { turn, call } = await waitingTurn();
    t.model.extend([{ ...done, expect: (request) => expect(lastResult(request)).toContain('approval-denied","message":"The user did not allow this call: Not on a Sunday.') }]);
    expect((await t.decide(call.id, 'deny', { reason: 'Not on a Sunday.' })).status).toBe(200);
    expect(await t.ended(turn)).toMatchObject({ status: 'finished' });
    expect(t.sent).toEqual([]);
    expect(await toolStep(turn)).toMatchObject({ decision: 'refused', reason: 'approval-denied', approval: { decision: 'denied' } });
  }, 30_000);

  it.each([
    ['no body', { headers: {} }],
    ['an empty body of a type', { headers: { 'content-type': 'application/json' }, body: '' }],
  ])('is denied without a reason by %s', async (_what, { headers, ...rest }) => {
    const { turn, call } = await waitingTurn();
    t.model.extend([{ ...done, expect: (request) => expect(lastResult(request)).toContain('The user did not allow this call.') }]);
    const answer = await fetch(`${t.house.url}/api/v1/approvals/${call.id}/deny`, { method: 'POST', headers: { authorization: `Bearer ${t.house.keys.pro}`, ...headers }, ...rest });
    expect([answer.status, await answer.json()]).toMatchObject([200, { approval: { status: 'denied', reason: null } }]);
    await t.ended(turn);
  }, 30_000);

  it('is made as it was edited, which model and route are told', async () => {
    const { turn, call } = await waitingTurn();
    const edited = { to: 'bob@example.com', text: 'Hello Bob' };
    t.model.extend([{ ...done, expect: (request) => expect(lastResult(request)).toMatch(/^\[The user changed the arguments .*bob@example\.com.*\]\n/) }]);
    expect(await (await t.decide(call.id, 'edit', { arguments: edited })).json()).toMatchObject({ approval: { status: 'edited', arguments: mail, editedArguments: edited } });
    await t.ended(turn);
    expect(t.sent).toEqual([edited]);
    const { approval } = (await toolStep(turn))!;
    expect(approval).toMatchObject({ decision: 'edited', askedHash: call.argumentsHash });
    expect(approval!.argumentsHash).not.toBe(call.argumentsHash);
  }, 30_000);

  it('is asked of nobody with arguments that the tool does not take, and is not edited into such', async () => {
    const wrong: ScriptStep = { text: 'Sending. ', toolCalls: [{ name: 'mail_send', arguments: { to: 'ann@example.com', body: 'x' } }] };
    const { turn } = await t.ask([load, wrong, { ...send, expect: (request) => expect(lastResult(request)).toMatch(/^{"refused":"invalid-arguments".*"text.* is missing/) }]);
    const [call, ...others] = (await t.pending()).filter((each) => each.turn === turn);
    expect([call!.arguments, others]).toEqual([mail, []]);
    expect(call).not.toHaveProperty('inputSchema');
    const edit = await t.decide(call!.id, 'edit', { arguments: {} });
    expect([edit.status, await edit.json()]).toMatchObject([422, { slug: 'invalid-arguments', detail: expect.stringMatching(/"to" is missing.*"text" is missing.*approve or deny/) }]);
    t.model.extend([done]);
    expect((await t.decide(call!.id, 'approve')).status).toBe(200);
    await t.ended(turn);
    expect(t.sent).toEqual([mail]);
  }, 30_000);

  it.each([
    ['than a message takes', 900_000, 'message-too-large'],
    ['than a decision has room for', 225_000, 'arguments-too-large'],
  ])('can be approved as it was after an edit that was longer %s', async (_than, length, slug) => {
    const { turn, call } = await waitingTurn();
    const long = await t.decide(call.id, 'edit', { arguments: { to: 'bob@example.com', text: 'A'.repeat(length) } });
    expect([long.status, await long.json()]).toMatchObject([413, { slug }]);
    t.model.extend([done]);
    expect((await t.decide(call.id, 'approve')).status).toBe(200);
    await t.ended(turn);
    expect(t.sent).toEqual([mail]);
    const { entries } = await t.read<{ entries: { action: string; after: { turn: string } }[] }>('/api/v1/audit?limit=20');
    expect(entries.flatMap(({ action, after }) => (after?.turn === turn ? [action] : []))).toEqual(['approve-call', 'mint-call-grant']);
  }, 30_000);

  it.each([['twice', 'approve'], ['and edited', 'edit'], ['and denied', 'deny']] as const)('that is approved %s at the same moment is decided and made once', async (_how, second) => {
    const { turn, call } = await waitingTurn();
    t.model.extend([done]);
    const body = second === 'edit' ? { arguments: { to: 'eve@example.com', text: 'x' } } : {};
    const answers = await Promise.all([t.decide(call.id, 'approve'), t.decide(call.id, second, body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await answers.find(({ status }) => status === 409)!.json()).toMatchObject({ slug: 'approval-decided' });
    await t.ended(turn);
    expect(t.sent.length).toBe(second === 'deny' ? Number((await toolStep(turn))!.decision === 'ok') : 1);
    const late = await t.decide(call.id, 'approve');
    expect([late.status, await late.json()]).toMatchObject([409, { slug: 'approval-decided' }]);
  }, 30_000);

  it('is nobody else to decide on, in the account or outside, and no operator', async () => {
    const { turn, call } = await waitingTurn();
    const { account } = await t.read<{ account: { id: string } | string }>('/api/v1/me').then((me) => ({ account: typeof me.account === 'string' ? me.account : me.account.id }));
    const made = await t.request('POST', `/api/v1/accounts/${account}/keys`, undefined, { name: 'other', roles: ['user', 'admin'] });
    const { secret: colleague } = (await made.json()) as { secret: string };
    for (const key of [colleague, t.house.keys.free, t.house.keys.operator]) {
      expect((await t.read<{ approvals: unknown[] }>('/api/v1/approvals', key)).approvals ?? []).toEqual([]);
      for (const how of ['approve', 'deny', 'edit'] as const) {
        const { status } = await t.decide(call.id, how, how === 'edit' ? { arguments: mail } : {}, key);
        expect([404, 403]).toContain(status);
      }
    }
    expect(await t.pending()).toMatchObject([{ id: call.id }]);
    t.model.extend([done]);
    await t.decide(call.id, 'deny');
    await t.ended(turn);
    expect(t.sent).toEqual([]);
  }, 30_000);

  it('keeps its chat for itself until it is decided or cancelled', async () => {
    const { turn, chat } = await waitingTurn();
    const ask = () => t.request('POST', '/v1/chat/completions', undefined, { model: 'scripted-model', messages: [{ role: 'user', content: 'Yes, I approve.' }], skillgate: { chat_id: chat } });
    expect([(await ask()).status, t.sent]).toEqual([409, []]);
    await t.request('POST', `/api/v1/turns/${turn}/cancel`);
    await t.ended(turn);
    t.model.extend([{ text: 'Then not.' }]);
    expect((await ask()).status).toBe(200);
  }, 30_000);

  it('is not decided any more behind a cancellation', async () => {
    const { turn, call } = await waitingTurn();
    await t.request('POST', `/api/v1/turns/${turn}/cancel`);
    const late = await t.decide(call.id, 'edit', { arguments: mail });
    expect([late.status, await late.json()]).toMatchObject([409, { slug: 'approval-decided', detail: expect.stringContaining('withdrawn') }]);
    await t.ended(turn);
    expect(await t.read(`/api/v1/approvals/${call.id}`)).toMatchObject({ status: 'withdrawn', editedArguments: null });
  }, 30_000);

  it('says so to a client that asks for a whole answer', async () => {
    t.model.extend([load, send]);
    const answer = await t.request('POST', '/v1/chat/completions', undefined, { model: 'scripted-model', messages: [{ role: 'user', content: 'Tell Ann.' }] });
    const body = (await answer.json()) as { choices: { message: { content: string }; finish_reason: string }[]; skillgate: { turn: string; waiting: { approvals: { id: string; arguments: object; askedAt: string }[] } } };
    expect(body.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: expect.stringContaining('Waiting for your approval') } });
    expect(body.skillgate.waiting.approvals).toMatchObject([{ arguments: mail }]);
    const [call] = await t.pending();
    expect(body.skillgate.waiting.approvals[0]).toMatchObject({ id: call!.id, askedAt: call!.askedAt });
    await t.request('POST', `/api/v1/turns/${body.skillgate.turn}/cancel`);
    await t.ended(body.skillgate.turn);
  }, 30_000);

  it('leaves who decided what in the audit log, without what was said', async () => {
    const { turn, call } = await waitingTurn();
    t.model.extend([done]);
    await t.decide(call.id, 'approve');
    await t.ended(turn);
    const { entries } = await t.read<{ entries: { action: string; after: { turn: string } }[] }>('/api/v1/audit?limit=20');
    const own = entries.filter(({ after }) => after?.turn === turn);
    expect(own.map(({ action }) => action)).toEqual(['approve-call', 'mint-call-grant']);
    expect(JSON.stringify(own)).not.toContain('ann@example.com');
  }, 30_000);

  it('waits through a restart of the whole house', async () => {
    const { turn, call } = await waitingTurn();
    const before = t.house.url;
    await t.restart();
    expect(t.house.url).not.toBe(before);
    expect(await until(() => t.pending(), (all) => Array.isArray(all) && all.length > 0)).toMatchObject([{ id: call.id, arguments: mail }]);
    expect(t.sent).toEqual([]);
    t.model.extend([done]);
    await until(async () => (await t.decide(call.id, 'approve')).status, (status) => status === 200);
    expect(await t.ended(turn)).toMatchObject({ status: 'finished' });
    expect(t.sent).toEqual([mail]);
  }, 120_000);
});

const stream = async (turn: string, from?: string): Promise<string> =>
  (await t.request('GET', `/api/v1/turns/${turn}/stream${from ? `?last_event_id=${from}` : ''}`)).text();
