import type { Work } from './compare.js';

/** Where the servers of a bench are. */
export interface BenchPlace {
  readonly servers: string;
  readonly passwords: Readonly<Record<string, string>>;
  /** Superuser's. */
  readonly databaseUrl: string;
}

/** One side of a comparison: works for about `ms` milliseconds and tells what it did. */
export interface Side {
  run(ms: number): Promise<Work>;
  end(): Promise<void>;
}
