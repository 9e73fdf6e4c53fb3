/**
 * HTTP status of each refusal that can reach a client, by its slug.
 * A slug that is not here is an expected no of some kind: 422 (RFC 9110, 15.5.21).
 */
const statuses: Readonly<Record<string, number>> = {
  'invalid-event-id': 400,
  'invalid-request': 400,
  'malformed-json': 400,
  'empty-conversation': 400,
  'missing-api-key': 401,
  'invalid-api-key': 401,
  'not-allowed': 403,
  'role-not-allowed': 403,
  'tools-not-allowed': 403,
  'unknown-route': 404,
  'unknown-account': 404,
  'unknown-artifact': 404,
  'unknown-chat': 404,
  'unknown-executor': 404,
  'unknown-integration': 404,
  'unknown-key': 404,
  'unknown-model': 404,
  'unknown-skill': 404,
  'unknown-turn': 404,
  'unknown-user': 404,
  'artifact-incomplete': 409,
  'epoch-not-reached': 409,
  'manifest-changed': 409,
  'tool-quarantined': 409,
  'turn-cancelled': 409,
  'turn-in-progress': 409,
  'artifact-too-large': 413,
  'body-too-large': 413,
  'message-too-large': 413,
  'unsupported-media-type': 415,
  'parallel-turns-reached': 429,
  'requests-a-minute-reached': 429,
  'tokens-a-day-reached': 429,
  'turns-a-day-reached': 429,
  // The house signed the ticket itself: a peer that refuses it does not know our keys yet. Nothing that a client did.
  'bad-ticket': 503,
  'ticket-invalid': 503,
  'ticket-expired': 503,
  'bad-authority': 503,
};

export const statusOf = (slug: string): number => statuses[slug] ?? 422;
