import { startNats, type LocalNats } from '@skillgate/backing/nats';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { callLedgerBucket } from '@skillgate/contracts/call-ledger-bucket';
import { connectWire } from '@skillgate/wire/connect';
import { natsConfig } from '@skillgate/wire/permissions';
import type { Wire } from '@skillgate/wire/wire';
import { plant } from './planted.js';

export interface TestNats {
  readonly server: LocalNats;
  readonly url: string;
  /** By service. */
  readonly passwords: Readonly<Record<string, string>>;
  /** A connection as that service, with its permissions; closed by `close`. */
  connect(service: string): Promise<Wire>;
  /** Closes the connections that `connect` opened and ends the server. */
  close(): Promise<void>;
}

/** A real NATS server of this test's own, with the permissions that the house generates for `edges`. */
export async function withNats(edges: readonly ServiceEdges[]): Promise<TestNats> {
  const passwords = Object.fromEntries(edges.map(({ service }) => [service, plant('nats')]));
  const server = await startNats({ config: (port, storeDir) => natsConfig([...edges], passwords, { port, storeDir }) });
  const wires: Wire[] = [];
  await makeLedgers(edges, server.url, passwords);
  return {
    server,
    url: server.url,
    passwords,
    async connect(service) {
      const password = passwords[service];
      if (!password) throw new Error(`withNats was not given the edges of "${service}"; it knows ${Object.keys(passwords).join(', ')}`);
      const wire = await connectWire({ service, servers: server.url, user: service, password });
      wires.push(wire);
      return wire;
    },
    async close() {
      await Promise.all(wires.map((wire) => wire.close()));
      await server.stop();
    },
  };
}

/** Executors find the ledger of their calls, as they do where an orchestrator runs: where none is among the edges, nobody calls them. */
async function makeLedgers(edges: readonly ServiceEdges[], servers: string, passwords: Readonly<Record<string, string>>): Promise<void> {
  const maker = edges.find(({ makesKeyValues }) => makesKeyValues)?.service;
  const executors = edges.filter(({ executor }) => executor);
  if (!maker || executors.length === 0) return;
  const wire = await connectWire({ service: maker, servers, user: maker, password: passwords[maker] ?? '' });
  await Promise.all(executors.map(({ service }) => wire.makeKeyValues(callLedgerBucket(service))));
  await wire.close();
}
