export default async function teardown() {
  const postgres = globalThis.skillgateTestPostgres;
  if (!postgres) return; // the other project's teardown was first, or the server is not ours
  delete globalThis.skillgateTestPostgres;
  delete process.env.SKILLGATE_TEST_PG_ADMIN_URL;
  await postgres.stop();
}
