/**
 * Statements of one transaction that need not wait for each other: they go in one round trip. Unlike `Promise.all` it waits for all of
 * them, whatever becomes of one: what is still on its way when the transaction is rolled back would run outside of it.
 *
 * @throws what the first to fail came to; those behind it fail because the transaction has
 */
export async function together<T extends readonly unknown[]>(...work: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const failures: unknown[] = [];
  const results = await Promise.all(work.map((each) => Promise.resolve(each).catch((error: unknown) => void failures.push(error))));
  if (failures.length > 0) throw failures[0];
  return results as { -readonly [K in keyof T]: Awaited<T[K]> };
}
