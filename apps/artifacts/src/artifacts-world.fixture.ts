import { createHash, randomUUID } from 'node:crypto';
import * as calls from '@skillgate/contracts/calls/artifacts';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { registryPublicKeys } from '@skillgate/contracts/calls/registry';
import { platformEdges } from '@skillgate/contracts/services/all';
import { executorEdges } from '@skillgate/contracts/services/executor';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import { makeSigner, newSigningKey, type Signer } from '@skillgate/service-kit/signing';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import { artifactsService } from './artifacts.service-definition.js';
import { artifactsStore } from './store-definition.js';

export const [alice, bob] = [randomUUID(), randomUUID()];
/** Each account's first user. */
export const userOf = (account: string): string => account.replace(/^.{8}/, '00000000');
export const inAMinute = (): number => Math.floor(Date.now() / 1000) + 60;

type PeerName = 'gateway' | 'registry' | 'orchestrator' | 'docs' | 'web';

/** The service on real NATS and PostgreSQL; `docs` and `web` are executors. */
export class ArtifactsWorld {
  private constructor(
    readonly nats: TestNats,
    readonly database: TestDatabase,
    readonly wires: Record<PeerName, Wire>,
    readonly gateway: Signer,
    readonly registry: Signer,
    readonly artifacts: RunningService,
  ) {}

  static async open(): Promise<ArtifactsWorld> {
    const nats = await withNats([...platformEdges, executorEdges('docs'), executorEdges('web')]);
    const database = await withDatabase();
    const names: PeerName[] = ['gateway', 'registry', 'orchestrator', 'docs', 'web'];
    const pairs = await Promise.all(names.map(async (name) => [name, await nats.connect(name)] as const));
    const wires = Object.fromEntries(pairs) as Record<PeerName, Wire>;
    const gateway = makeSigner(await newSigningKey(), 'gateway');
    const registry = makeSigner(await newSigningKey(), 'registry');
    await wires.gateway.serve(gatewayPublicKeys, async () => gateway.publicKeys()).ready;
    await wires.registry.serve(registryPublicKeys, async () => registry.publicKeys()).ready;
    const artifacts = await bootService(artifactsService, {
      SKILLGATE_NATS_URL: nats.url,
      SKILLGATE_NATS_PASSWORD: nats.passwords['artifacts'],
      SKILLGATE_LOG_LEVEL: 'silent',
      SKILLGATE_DATABASE_URL: await database.migrate(artifactsStore),
    });
    return new ArtifactsWorld(nats, database, wires, gateway, registry, artifacts);
  }

  async close(): Promise<void> {
    try {
      await this.artifacts.stop(2_000);
    } finally {
      await this.nats.close();
      await this.database.close();
    }
  }

  ticket(account: string = alice, user = userOf(account)): Promise<string> {
    return this.gateway.sign({ typ: 'ticket', account, user, policyEpoch: 1, exp: inAMinute() });
  }

  grant(aud = 'docs', account: string = alice, user = userOf(account)): Promise<string> {
    const ids = { account, user, chat: randomUUID(), turn: randomUUID() };
    return this.registry.sign({ typ: 'grant', aud, ...ids, tools: {}, policyEpoch: 1, exp: inAMinute() });
  }
}

export const about = (bytes: Buffer, more: object = {}) => ({
  name: 'report.md',
  mime: 'text/markdown',
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  ...more,
});

export async function sendPieces(wire: Wire, authority: string, id: string, bytes: Buffer): Promise<void> {
  for (let index = 0; index * calls.pieceBytes < bytes.length; index++) {
    const piece = bytes.subarray(index * calls.pieceBytes, (index + 1) * calls.pieceBytes);
    await wire.call(calls.writePiece, { authority, id, index, base64: piece.toString('base64') });
  }
}

export async function store(wire: Wire, authority: string, bytes: Buffer, more: object = {}): Promise<ArtifactRef> {
  const { id } = await wire.call(calls.beginArtifact, { authority, ...about(bytes, more) });
  await sendPieces(wire, authority, id, bytes);
  return wire.call(calls.finishArtifact, { authority, id });
}

export async function fetchBytes(wire: Wire, authority: string, id: string): Promise<Buffer> {
  const { pieces } = await wire.call(calls.statArtifact, { authority, id });
  const read: Buffer[] = [];
  for (let index = 0; index < pieces; index++) {
    read.push(Buffer.from((await wire.call(calls.readPiece, { authority, id, index })).base64, 'base64'));
  }
  return Buffer.concat(read);
}
