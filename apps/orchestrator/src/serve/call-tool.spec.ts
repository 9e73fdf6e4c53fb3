import { describe, expect, it } from '@jest/globals';
import { refuse } from '@skillgate/contracts/refusal';
import { maxMessageBytes } from '@skillgate/wire/body';
import { WorkingCalls } from '../working-calls.js';
import { FakeWire } from '../spec-support/fake-wire.js';
import { CallTool } from './call-tool.js';

const id = '00000000-0000-4000-8000-000000000000';

function callWith(answer: () => { content: string } | Promise<never>, working = new WorkingCalls()) {
  const { wire } = new FakeWire().onTool('weather_now', answer);
  const served = new CallTool({ wire, ledgers: async () => undefined, working } as never);
  const input = { grant: { executor: 'weather', grant: 'g' }, tool: 'weather_now', arguments: {}, callId: 'c', turn: id, timeoutMs: 1_000 };
  return served.handle(input as never, { signal: new AbortController().signal } as never);
}

describe('a tool that is called outside of any chat', () => {
  it.each([10, maxMessageBytes - 1_000])('hands on its answer of %i characters', async (length) => {
    const content = 'x'.repeat(length);
    expect((await callWith(() => ({ content }))).outcome).toEqual({ result: { content, artifacts: [] } });
  });

  it('ends at once when its executor falls silent, and says so', async () => {
    const working = new WorkingCalls();
    const calling = callWith(() => new Promise<never>(() => undefined), working);
    await new Promise((resolve) => setTimeout(resolve, 20));
    working.silent('another');
    working.silent('weather');
    expect((await calling).outcome).toMatchObject({ error: { kind: 'unavailable', slug: 'executor-away' } });
  });

  it.each<[string, () => { content: string }]>([
    ['answers', () => ({ content: 'x'.repeat(500_000) })],
    ['answers just what one message holds', () => ({ content: 'x'.repeat(maxMessageBytes - 50) })],
    ['answers in letters of several bytes', () => ({ content: 'é'.repeat(maxMessageBytes / 2) })],
    ['fails in words', () => {
      throw refuse('too-bad', 'x'.repeat(500_000));
    }],
  ])('that %s beyond what a message holds is told as the outcome of the call', async (_how, answer) => {
    const { outcome } = await callWith(answer);
    expect(outcome).toEqual({ error: { kind: 'breach', slug: 'reply-too-large', message: expect.stringContaining('may have done its work') } });
  });
});
