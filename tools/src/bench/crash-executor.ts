import { defineExecutor, type Executor } from '@skillgate/executor-kit/define-executor';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import pg from 'pg';
import { z } from 'zod';

/** Milliseconds that each tool takes: time in which its caller can die. */
const workMs = 40;

export interface CrashExecutor {
  readonly executor: Executor;
  /** Effects that happened more than once, counted by turn and what was done; a call's id plays no part. */
  doubled(): Promise<number>;
  happened(): Promise<number>;
  close(): Promise<void>;
}

/** An executor whose effects are rows that nothing makes unique: each execution appends one. */
export async function crashExecutor(databaseUrl: string): Promise<CrashExecutor> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  pool.on('error', () => undefined); // the server is restarted under it
  await pool.query('CREATE TABLE effects (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, turn text NOT NULL, effect text NOT NULL, call text NOT NULL)');
  const work = () => new Promise((resolve) => setTimeout(resolve, workMs));
  const shape = { profile: 'crash', timeoutMs: 30_000 };
  const executor = defineExecutor({
    name: 'crash',
    version: '1.0.0',
    concurrency: 32,
    tools: [
      defineTool({
        ...shape,
        name: 'crash_read',
        effect: 'read',
        description: 'Reads what a turn is about. For the bench alone.',
        input: z.strictObject({ turn: z.string() }),
        async execute({ turn }) {
          await work();
          return { turn, about: 'nothing' };
        },
      }),
      defineTool({
        ...shape,
        name: 'crash_send',
        effect: 'external',
        description: 'Does something that is seen outside. For the bench alone.',
        input: z.strictObject({ turn: z.string(), effect: z.string() }),
        async execute({ turn, effect }, { callId }) {
          await work();
          await pool.query('INSERT INTO effects (turn, effect, call) VALUES ($1, $2, $3)', [turn, effect, callId]);
          await work();
          return { turn, sent: effect };
        },
      }),
    ],
  });
  const count = async (sql: string) => Number(((await pool.query(sql)) as { rows: { count: string | null }[] }).rows[0]?.count ?? 0);
  return {
    executor,
    doubled: () => count('SELECT sum(times - 1) AS count FROM (SELECT count(*) AS times FROM effects GROUP BY turn, effect) each'),
    happened: () => count('SELECT count(*) AS count FROM effects'),
    close: () => pool.end(),
  };
}
