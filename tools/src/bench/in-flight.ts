/** What was done in a slice of time. */
export interface Slice {
  readonly done: number;
  /** Milliseconds from the first begin to the last end. */
  readonly ms: number;
  /** Milliseconds of each. */
  readonly latencies: readonly number[];
  /** Why others came to nothing. They are in none of the other figures. */
  readonly failures: readonly string[];
}

/** So many at a time, a new one as soon as one has ended, until the time is up; those that were begun are waited for. */
export async function keepInFlight(turn: () => Promise<void>, inFlight: number, ms: number): Promise<Slice> {
  const began = performance.now();
  const latencies: number[] = [];
  const failures: string[] = [];
  const user = async () => {
    while (performance.now() - began < ms) {
      const from = performance.now();
      try {
        await turn();
        latencies.push(performance.now() - from);
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, user));
  return { done: latencies.length, ms: performance.now() - began, latencies, failures };
}
