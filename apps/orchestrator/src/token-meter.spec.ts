import { describe, expect, it } from '@jest/globals';
import { countTokens } from '@skillgate/prompt/count-tokens';
import { makeLog } from '@skillgate/service-kit/log';
import { type SentRequest, TokenMeter } from './token-meter.js';

const meter = () => new TokenMeter(makeLog('orchestrator', 'silent'));
const request = (text: string, change: Partial<SentRequest> = {}): SentRequest => ({
  prefix: { base: 'Be good.', catalog: '<available_skills>\n</available_skills>' },
  messages: [{ role: 'system', content: 'Be good.' }, { role: 'user', content: text }],
  tools: [],
  loadedTexts: [],
  ...change,
});
const tokens = { base: countTokens('Be good.'), catalog: countTokens('<available_skills>\n</available_skills>'), user: countTokens('Write a memo.') };

describe('the token meter of a turn', () => {
  it('knows nothing before the first request', () => {
    expect(meter().ledger({ bodiesTokens: 9, allToolsTokens: 9 })).toEqual({ base: 0, catalog: 0, loaded: 0, tools: 0, conversation: 0, monolith: 0 });
  });

  it('counts the last request, against the first without gates', () => {
    const counting = meter();
    counting.sent(request('Write a memo.'));
    expect(counting.ledger(null)).toMatchObject({ ...{ base: tokens.base, catalog: tokens.catalog }, conversation: tokens.user });
    counting.sent(request('Write a memo. And then a longer one about something else.'));
    const { conversation, monolith } = counting.ledger({ bodiesTokens: 1_000, allToolsTokens: 500 });
    expect(conversation).toBeGreaterThan(tokens.user);
    expect(monolith).toBe(tokens.base + 1_000 + 500 + tokens.user);
  });

  it('says 0 for the monolith while that is unknown', () => {
    const counting = meter();
    counting.sent(request('Hi'));
    expect(counting.ledger(null).monolith).toBe(0);
  });

  it('has counted before anybody asks', async () => {
    const counting = meter();
    let read = 0;
    const watched = request('Hi');
    Object.defineProperty(watched, 'messages', { get: () => ((read += 1), [{ role: 'user', content: 'Hi' }]), enumerable: true });
    counting.sent(watched);
    expect(read).toBe(0); // not while it is being sent
    await new Promise((resolve) => setImmediate(resolve));
    const before = read;
    expect(before).toBeGreaterThan(0);
    expect(counting.promptTokens).toBe(tokens.base + tokens.catalog + countTokens('Hi'));
    expect(read).toBe(before);
  });

  it('never fails a turn', () => {
    const counting = meter();
    counting.sent(request('Hi', { messages: null as never }));
    expect(counting.ledger(null).conversation).toBe(0);
  });
});
