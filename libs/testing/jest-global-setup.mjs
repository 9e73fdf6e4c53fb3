// One real PostgreSQL for the whole jest run. Two jest projects name this file; jest calls it once a project at most, and
// not at all when only unit tests run. A server of your own is used instead when SKILLGATE_TEST_PG_ADMIN_URL is set.
import '../../tools/register.mjs';

export default async function setup() {
  if (process.env.SKILLGATE_TEST_PG_ADMIN_URL) return;
  const { startPostgres } = await import('../backing/src/postgres.ts');
  const postgres = await startPostgres({ durable: false });
  globalThis.skillgateTestPostgres = postgres;
  process.env.SKILLGATE_TEST_PG_ADMIN_URL = postgres.adminUrl; // jest's workers inherit it
}
