/**
 * How a tool says no. `refuse(slug, message)`: an expected no that the model reads; the message says what to do next.
 * `unavailable(slug, message, retryAfterMs?)`: the outside system is away or wants fewer calls; the same call may come again.
 */
export { refuse, unavailable } from '@skillgate/contracts/refusal';
