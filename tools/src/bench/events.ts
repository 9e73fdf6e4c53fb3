import { startNats } from '@skillgate/backing/nats';
import { startPostgres } from '@skillgate/backing/postgres';
import { accountsEdges } from '@skillgate/contracts/services/accounts';
import { gatewayEdges } from '@skillgate/contracts/services/gateway';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { natsConfig } from '@skillgate/wire/permissions';
import { compare, type Comparison } from './compare.js';
import { bareDeltas, relayedDeltas } from './deltas.js';
import { bareInserts, persistedEvents } from './persisted.js';

/** Both comparisons on servers of their own: PostgreSQL as durable as in production, NATS with the generated permissions. */
export async function benchEvents(seconds: number, tell: (line: string) => void): Promise<{ persisted: Comparison; deltas: Comparison }> {
  const edges = [accountsEdges, orchestratorEdges, gatewayEdges];
  const passwords = Object.fromEntries(edges.map(({ service }) => [service, `bench${service}`]));
  // A user without limits stands for the bare client; it exists in this configuration alone.
  const config = (port: number, storeDir: string) => natsConfig(edges, passwords, { port, storeDir }).replace('users: [', 'users: [\n    { user: "bare", password: "bare" }');
  const [nats, postgres] = await Promise.all([startNats({ config }), startPostgres()]);
  try {
    const wanted = { servers: nats.url, passwords, databaseUrl: await postgres.createDatabase('bench') };
    tell(`${process.version}, ${seconds} s a part`);
    const persistedSides = [await persistedEvents(wanted), await bareInserts(wanted)] as const;
    const persisted = await compare(seconds, persistedSides[0].run, persistedSides[1].run);
    for (const side of persistedSides) await side.end();
    tell(`persisted: ${persisted.perSecond} events/s, bare ${persisted.bare} rows/s, ratio ${persisted.ratio}`);
    const deltaSides = [await relayedDeltas(wanted), await bareDeltas(wanted)] as const;
    const deltas = await compare(seconds, deltaSides[0].run, deltaSides[1].run);
    for (const side of deltaSides) await side.end();
    tell(`deltas: ${deltas.perSecond}/s, bare ${deltas.bare}/s, ratio ${deltas.ratio}`);
    return { persisted, deltas };
  } finally {
    await Promise.all([nats.stop(), postgres.stop()]);
  }
}
