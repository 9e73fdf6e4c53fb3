import { unavailable } from '@skillgate/contracts/refusal';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: shutdowns, start-up, too many connections, connection failures. */
const downCodes = /^(57P0[123]|53300|08\w{3}|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;

/**
 * Turns what `pg` throws when there is no connection into an `unavailable`, which callers may try again; other errors
 * pass unchanged. A commit that was under way when the connection went may have happened: repeat only what is idempotent.
 */
export function asHouseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.message === 'timeout exceeded when trying to connect') {
    return Object.assign(unavailable('database-busy', 'No database connection was free in time. Try again.', 500), { cause: error });
  }
  const code = 'code' in error ? String(error.code) : '';
  const released = /^QueryRunner(Provider)?AlreadyReleasedError$/.test(error.name); // what TypeORM says once the connection broke in a transaction, or at its commit
  if (released || downCodes.test(code) || /^(Connection terminated|Client has encountered a connection error)/.test(error.message)) {
    return Object.assign(unavailable('database-down', 'The database cannot be reached. Try again.', 1_000), { cause: error });
  }
  return error;
}
