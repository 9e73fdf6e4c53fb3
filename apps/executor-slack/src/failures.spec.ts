import { describe, expect, it } from '@jest/globals';
import { ErrorCode } from '@slack/web-api';
import { type Stage, explainFailure } from './explain-failure.js';
import { slackFailure } from './slack-failure.js';

const platform = (error: string, more: object = {}) => ({ code: ErrorCode.PlatformError, data: { ok: false, error, ...more } });
const request = (code: string) => ({ code: ErrorCode.RequestError, original: Object.assign(new Error('no answer'), { code }) });

describe('what became of a request', () => {
  it.each<[string, unknown, object | undefined]>([
    ['a status of 429', { code: ErrorCode.RateLimitedError, retryAfter: 30 }, { kind: 'limited', retryAfterMs: 30_000 }],
    [
      'a rate limit in the body',
      platform('ratelimited', { response_metadata: { retryAfter: 7 } }),
      { kind: 'limited', retryAfterMs: 7_000 },
    ],
    ['a rate limit without a time', platform('rate_limited'), { kind: 'limited', retryAfterMs: 5_000 }],
    ['a revoked token', platform('token_revoked'), { kind: 'credential', code: 'token_revoked' }],
    ['a closed channel', platform('not_in_channel'), { kind: 'refused', code: 'not_in_channel' }],
    [
      'a missing right',
      platform('missing_scope', { needed: 'chat:write' }),
      { kind: 'refused', code: 'missing_scope', needed: 'chat:write' },
    ],
    ['a failure inside Slack', platform('fatal_error'), { kind: 'lost', code: 'fatal_error' }],
    ['a page of some proxy', platform('<html>Bad gateway</html>'), { kind: 'lost', code: 'unreadable_answer' }],
    ['a status of 503', { code: ErrorCode.HTTPError, statusCode: 503 }, { kind: 'lost', code: 'http_503' }],
    ['a connection that was refused', request('ECONNREFUSED'), { kind: 'unreachable', code: 'ECONNREFUSED' }],
    ['a name that does not resolve', request('ENOTFOUND'), { kind: 'unreachable', code: 'ENOTFOUND' }],
    ['a connection that broke', request('ECONNRESET'), { kind: 'lost', code: 'ECONNRESET' }],
    ['a mistake of our own', new TypeError('x is not a function'), undefined],
  ])('is told of %s', (_what, error, failure) => expect(slackFailure(error)).toEqual(failure));
});

describe('a failure in words', () => {
  const stages: Stage[] = ['reading', 'before', 'changing'];
  it.each<[string, unknown, string[]]>([
    // reading, before a change, the change itself: "unavailable" of a change would say that it may have happened
    [
      'a lost answer',
      request('ECONNRESET'),
      ['unavailable slack-no-answer', 'refusal slack-no-answer', 'unavailable slack-outcome-unknown'],
    ],
    [
      'an unreachable Slack',
      request('ECONNREFUSED'),
      ['unavailable slack-unreachable', 'refusal slack-unreachable', 'refusal slack-unreachable'],
    ],
    [
      'a rate limit',
      platform('ratelimited'),
      ['unavailable slack-rate-limited', 'refusal slack-rate-limited', 'refusal slack-rate-limited'],
    ],
    [
      'a refused token',
      platform('invalid_auth'),
      ['refusal slack-not-accepted', 'refusal slack-not-accepted', 'refusal slack-not-accepted'],
    ],
    ['a no of Slack', platform('is_archived'), ['refusal slack-is-archived', 'refusal slack-is-archived', 'refusal slack-is-archived']],
  ])('of %s tells doubt only where there is some', (_what, error, told) => {
    const said = stages.map((stage) => explainFailure(slackFailure(error)!, 'chat.postMessage', stage));
    expect(said.map(({ kind, slug }) => `${kind} ${slug}`)).toEqual(told);
    for (const each of said.filter(({ kind }) => kind === 'refusal')) expect(each.message.length).toBeGreaterThan(20);
  });

  it('repeats nothing of what Slack calls needed but scopes', () => {
    expect(explainFailure({ kind: 'refused', code: 'missing_scope', needed: 'x y; rm' }, 'm', 'reading').message).not.toContain('rm');
  });
});
