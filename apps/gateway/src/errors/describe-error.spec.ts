import { describe, expect, it } from '@jest/globals';
import { NotFoundException } from '@nestjs/common';
import { HouseError, breach, refuse, unavailable } from '@skillgate/contracts/refusal';
import { describeError } from './describe-error.js';
import { toProblem } from './problem.js';
import { toVendorError } from './vendor-error.js';

describe('describeError', () => {
  it.each([
    ['missing-api-key', 401],
    ['not-allowed', 403],
    ['unknown-turn', 404],
    ['turn-in-progress', 409],
    ['artifact-too-large', 413],
    ['unsupported-media-type', 415],
    ['unknown-tier', 422],
    ['bad-ticket', 503],
  ])('answers the refusal %s with %i', (slug, status) => {
    expect(describeError(refuse(slug, 'No.'), 'c1')).toMatchObject({ status, slug, message: 'No.' });
  });

  it('asks to come back when a service is unavailable', () => {
    const described = describeError(unavailable('no-responder', 'Nobody is there.', 1500), 'c1');
    expect(described).toMatchObject({ status: 503, slug: 'no-responder', retryAfterSeconds: 2, correlationId: 'c1' });
  });

  it.each([
    ['as the refusal says', { retryAfterMs: 41_200, details: { limit: 5, used: 5 } }, 42],
    ['when the limit resets', { details: { limit: 5, used: 5, resetsAt: new Date(Date.now() + 90_000).toISOString() } }, 90],
    ['soon, where nobody knows', { details: { limit: 5, used: 5 } }, 2],
    ['in a second at least', { retryAfterMs: 0 }, 1],
  ])('sends who has reached a limit away until there is room: %s', (_how, more, seconds) => {
    for (const slug of ['turns-a-day-reached', 'tokens-a-day-reached', 'parallel-turns-reached', 'requests-a-minute-reached']) {
      const described = describeError(new HouseError({ kind: 'refusal', slug, message: 'Too much.', ...more }), 'c1');
      const facts = 'details' in more ? { details: more.details } : {};
      expect(described).toMatchObject({ status: 429, slug, retryAfterSeconds: seconds, ...facts });
    }
  });

  it.each([{}, { retryAfterMs: 67_450_000 }])('sends nobody away for a while from a limit of 0, where waiting does not help: %j', (more) => {
    const error = new HouseError({ kind: 'refusal', slug: 'turns-a-day-reached', message: 'None.', ...more, details: { limit: 0, used: 0, resetsAt: null } });
    expect(describeError(error, 'c1')).toMatchObject({ status: 429 });
    expect(describeError(error, 'c1')).not.toHaveProperty('retryAfterSeconds');
  });

  it('says of a breach that it happened and not what the message held', () => {
    const described = describeError(breach('invalid-output', 'answer: secret-value is no string'), 'c1');
    expect(described).toMatchObject({ status: 502, slug: 'contract-breach', correlationId: 'c1' });
    expect(JSON.stringify(described)).not.toContain('secret-value');
  });

  it('calls a message that is too large for the wire a request that is too large', () => {
    expect(describeError(breach('message-too-large', 'subject x'), 'c1')).toMatchObject({ status: 413, slug: 'message-too-large' });
  });

  it.each([
    ['an ordinary error', new Error('password is hunter2')],
    ['a defect of another service', new HouseError({ kind: 'defect', slug: 'internal', message: 'hunter2', correlationId: 'theirs' })],
    ['something that is no error', 'hunter2'],
  ])('hides everything about %s behind a correlation id', (_what, error) => {
    const described = describeError(error, 'ours');
    expect(described).toMatchObject({ status: 500, slug: 'internal' });
    expect(described.correlationId).toMatch(/^(ours|theirs)$/);
    expect(JSON.stringify(described)).not.toContain('hunter2');
  });

  it('knows a route that is not there', () => {
    expect(describeError(new NotFoundException('Cannot GET /nowhere'), 'c1')).toMatchObject({ status: 404, slug: 'unknown-route' });
  });
});

describe('the two shapes of an error', () => {
  const described = describeError(refuse('invalid-request', 'messages: is missing.', { param: 'messages', limitBytes: 5 }), 'c1');

  it("is the vendor's under /v1", () => {
    expect(toVendorError(described)).toEqual({
      error: {
        message: 'messages: is missing.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'invalid-request',
        details: { limitBytes: 5 },
      },
    });
  });

  it('is RFC 9457 elsewhere, with slug, field and facts, and no fact can replace a member', () => {
    expect(toProblem({ ...described, details: { limitBytes: 5, status: 200 } }, '/api/v1/x')).toEqual({
      type: 'urn:skillgate:problem:invalid-request',
      title: 'Bad Request',
      status: 400,
      detail: 'messages: is missing.',
      instance: '/api/v1/x',
      slug: 'invalid-request',
      param: 'messages',
      limitBytes: 5,
    });
  });
});
