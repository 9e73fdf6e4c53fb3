import { callLedgerBucket } from '@skillgate/contracts/call-ledger-bucket';
import { leaseCredential } from '@skillgate/contracts/calls/integrations';
import { registryPublicKeys, resolveTools } from '@skillgate/contracts/calls/registry';
import { isUnavailable, refuse } from '@skillgate/contracts/refusal';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { accountsEdges } from '@skillgate/contracts/services/accounts';
import { artifactsEdges } from '@skillgate/contracts/services/artifacts';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { registryEdges } from '@skillgate/contracts/services/registry';
import { streamsOf } from '@skillgate/contracts/streams';
import { makeSigner, newSigningKey, type Signer } from '@skillgate/service-kit/signing';
import { connectWire } from '@skillgate/wire/connect';
import type { Wire } from '@skillgate/wire/wire';
import type { WireLog } from '@skillgate/wire/wire-log';
import { serveShelf } from './artifact-shelf.js';

/** The services that the suite plays, and the executor: what a NATS server for it must know. */
export const conformEdges = (executor: string): readonly ServiceEdges[] => [executorEdges(executor), registryEdges, orchestratorEdges, accountsEdges, artifactsEdges];

/** The house as an executor sees it, with nobody in it but the suite. */
export interface Peers {
  readonly registry: Wire;
  readonly orchestrator: Wire;
  readonly accounts: Wire;
  /** Signs the grants; its keys are known to the executor. */
  readonly signer: Signer;
  /** From now on the registry answers with the keys of both. */
  addSigner(second: Signer): void;
  /** What was heard and broke its contract, as the wire tells it. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/**
 * Connects as registry, orchestrator, accounts and artifacts.
 *
 * @param passwords of those four users
 * @throws when a registry answers already: a house runs there, and its executor would be asked to believe two registries
 */
export async function playHouse(executor: string, servers: string, passwords: Readonly<Record<string, string>>): Promise<Peers> {
  const complaints: string[] = [];
  const quiet = (): void => undefined;
  const log: WireLog = { debug: quiet, info: quiet, warn: quiet, error: (_facts, message) => void complaints.push(message) };
  const wires: Wire[] = [];
  const close = async (): Promise<void> => void (await Promise.all(wires.map((wire) => wire.close())));
  const connect = async (service: string): Promise<Wire> => {
    const wire = await connectWire({ service, servers, password: passwords[service] ?? '', log });
    wires.push(wire);
    return wire;
  };
  try {
    const [registry, orchestrator, accounts, artifacts] = [await connect('registry'), await connect('orchestrator'), await connect('accounts'), await connect('artifacts')];
    await requireEmpty(orchestrator);
    const signers = [makeSigner(await newSigningKey(), 'registry')];
    await accounts.reconcileStreams(streamsOf(accountsEdges));
    await orchestrator.makeKeyValues(callLedgerBucket(executor));
    await serveShelf(artifacts);
    await Promise.all([
      registry.serve(registryPublicKeys, async () => ({ keys: signers.flatMap((signer) => signer.publicKeys().keys) })).ready,
      accounts.serve(leaseCredential, async ({ integration }) => {
        throw refuse('integration-not-connected', `${integration} is not connected: the suite has no credentials.`);
      }).ready,
    ]);
    return { registry, orchestrator, accounts, signer: signers[0]!, addSigner: (second) => void signers.push(second), complaints, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function requireEmpty(orchestrator: Wire): Promise<void> {
  const answer = await orchestrator.call(resolveTools, { ticket: 'a.b.c', receipts: [] }, { deadlineMs: 2_000 }).catch((error: unknown) => error);
  if (isUnavailable(answer, 'no-responder')) return;
  throw new Error('a registry answers on this NATS server: a house runs there. Give the suite a server of its own, or leave --nats out');
}
