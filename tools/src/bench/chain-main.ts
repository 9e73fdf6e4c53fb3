// A process of the bare chain: no framework, no checks, no signatures. Its role and its place come as messages of its parent.
import { connect } from '@nats-io/transport-node';
import { chainRoles } from './chain-roles.js';
import { openPool } from './chain-sql.js';

/** All that a process of the chain must know. */
export interface ChainStart {
  readonly role: string;
  readonly natsUrl: string;
  readonly databaseUrl: string;
  readonly modelUrl: string;
  readonly prefix: string;
  readonly tools: object[];
  readonly instructions: string;
}

process.once('disconnect', () => process.exit());
process.once('message', async ({ role, natsUrl, databaseUrl, ...rest }: ChainStart) => {
  const nats = await connect({ servers: natsUrl, user: 'bare', pass: 'bare' });
  const port = await chainRoles[role]!({ nats, pool: openPool(databaseUrl), ...rest });
  await nats.flush();
  process.send?.({ port: port ?? null });
});
