import { randomUUID } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { getEntitlements } from '@skillgate/contracts/calls/accounts';
import { catalogPublicKeys } from '@skillgate/contracts/calls/catalog';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { approveManifest, listManifests, resolveTools } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { entitlementsChanged } from '@skillgate/contracts/events/accounts';
import { executorJoined, executorLeft, manifestApproved } from '@skillgate/contracts/events/registry';
import { refuse } from '@skillgate/contracts/refusal';
import { edgesOf } from '@skillgate/contracts/service-edges';
import { accountsEdges } from '@skillgate/contracts/services/accounts';
import { catalogEdges } from '@skillgate/contracts/services/catalog';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { gatewayEdges } from '@skillgate/contracts/services/gateway';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { registryEdges } from '@skillgate/contracts/services/registry';
import { streamsOf } from '@skillgate/contracts/streams';
import type { ReceiptClaims, TicketClaims } from '@skillgate/contracts/tokens';
import type { Announcement, ToolManifest } from '@skillgate/contracts/tool-manifest';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import { makeSigner, newSigningKey } from '@skillgate/service-kit/signing';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase } from '@skillgate/testing/with-database';
import { withNats } from '@skillgate/testing/with-nats';
import { registryService } from '../registry.service-definition.js';
import { registryStore } from '../store-definition.js';
import { entitled, receiptFor, turnTicket } from './facts.js';

export interface Turn {
  readonly ticket: TicketClaims;
  readonly receipt: ReceiptClaims;
}

export const now = (): number => Math.floor(Date.now() / 1000);

/** A turn of an account of its own, with a receipt for it. */
export function newTurn(
  change: { ticket?: Partial<TicketClaims>; receipt?: Partial<ReceiptClaims>; requires?: Partial<ReceiptClaims['requires']> } = {},
): Turn {
  const place = { account: randomUUID(), chat: randomUUID(), turn: randomUUID() };
  const times = { iat: now(), exp: now() + 600 };
  const ticket = turnTicket({ ...place, user: randomUUID(), jti: randomUUID(), ...times, ...change.ticket });
  const requires = change.requires ?? { profiles: ['docs'] };
  return { ticket, receipt: receiptFor(requires, { ...place, ticket: ticket.jti, jti: randomUUID(), ...times, ...change.receipt }) };
}

/** Announcements are not answered: asks until the registry has heard, for two seconds at most. */
export async function until<T>(read: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (let left = 100; ; left -= 1) {
    const value = await read();
    if (good(value) || left === 0) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** In the place of whoever wants to know what the registry tells. */
const listenerEdges = edgesOf({
  service: 'listener',
  serves: [],
  calls: [],
  emits: [],
  hears: [],
  watches: [executorJoined, executorLeft, manifestApproved],
});

export type LiveRegistry = Awaited<ReturnType<typeof startRegistry>>;

/**
 * The service on a real NATS server and database, between stand-ins that hold the keys of gateway and catalog.
 *
 * @param told what accounts told before the registry ever started
 * @param env variables of the registry, above those that it needs
 */
export async function startRegistry({ told = [], env: more = {} }: { told?: readonly Entitlements[]; env?: NodeJS.ProcessEnv } = {}) {
  const edges = [registryEdges, accountsEdges, catalogEdges, gatewayEdges, orchestratorEdges, executorEdges('docs'), executorEdges('team-b'), listenerEdges];
  const [nats, database] = await Promise.all([withNats(edges), withDatabase()]);
  const tickets = makeSigner(await newSigningKey(), 'gateway');
  const receipts = makeSigner(await newSigningKey(), 'catalog');
  const [gateway, catalog, accounts] = await Promise.all([nats.connect('gateway'), nats.connect('catalog'), nats.connect('accounts')]);
  const [orchestrator, docs, listener] = await Promise.all([nats.connect('orchestrator'), nats.connect('docs'), nats.connect('listener')]);
  const teamB = await nats.connect('team-b');
  /** What the stand-in for accounts answers, and the epochs that it was asked for. */
  const account = { facts: entitled(), asked: [] as number[], gone: false };
  await Promise.all([
    gateway.serve(gatewayPublicKeys, async () => tickets.publicKeys()).ready,
    catalog.serve(catalogPublicKeys, async () => receipts.publicKeys()).ready,
    accounts.serve(getEntitlements, async ({ account: id, minEpoch }) => {
      account.asked.push(minEpoch);
      if (account.gone) throw refuse('unknown-account', 'There is no such account.');
      if (account.facts.policyEpoch < minEpoch) throw refuse('epoch-not-reached', 'Ask again.');
      return { ...account.facts, account: id };
    }).ready,
  ]);
  await accounts.reconcileStreams(streamsOf(accountsEdges));
  /** As the outbox relay of accounts does; told twice, it has the same id. */
  const tell = (facts: Entitlements, { id = randomUUID() as string, messageId = randomUUID() as string } = {}) =>
    accounts.publishEvent(entitlementsChanged, facts, { id, messageId });
  for (const facts of told) await tell(facts);
  const env = {
    SKILLGATE_NATS_URL: nats.url,
    SKILLGATE_NATS_PASSWORD: nats.passwords.registry,
    SKILLGATE_DATABASE_URL: await database.migrate(registryStore),
    SKILLGATE_SIGNING_KEY: JSON.stringify(await newSigningKey()),
    SKILLGATE_LOG_LEVEL: 'error',
    ...more,
  };
  const replicas: RunningService[] = [await bootService(registryService, env)];

  const announce = (tools: ToolManifest[], change: Partial<Announcement> = {}) =>
    docs.announce({ executor: 'docs', version: '1.0.0', instance: 'docs-1', state: 'serving', tools, ...change });
  /** Another team's executor. */
  const announceB = (tools: ToolManifest[], change: Partial<Announcement> = {}) =>
    teamB.announce({ executor: 'team-b', version: '1.0.0', instance: 'team-b-1', state: 'serving', tools, ...change });
  const executors = async () => (await gateway.call(listManifests, {})).executors;
  const manifests = async () => (await gateway.call(listManifests, {})).executors.flatMap(({ tools }) => tools);
  const states = async () => Object.fromEntries((await manifests()).map(({ name, state }) => [name, state]));
  /** A ticket of no turn, as the gateway sends it with a change. */
  const authority = (change: Partial<TicketClaims> = {}) => {
    const { chat: _chat, turn: _turn, ...claims } = newTurn().ticket;
    return tickets.sign({ ...claims, roles: ['operator'], ...change });
  };
  const approveOf = async (executor: string, ...tools: Pick<ToolManifest, 'name' | 'schemaDigest'>[]) =>
    gateway.call(approveManifest, { authority: await authority(), executor, by: 'ops', tools: tools.map(({ name, schemaDigest }) => ({ name, schemaDigest })) });
  const approve = (...tools: Pick<ToolManifest, 'name' | 'schemaDigest'>[]) => approveOf('docs', ...tools);

  return {
    gateway,
    orchestrator,
    docs,
    tickets,
    receipts,
    account,
    tell,
    /** The first is there from the start. */
    replicas,
    async addReplica(): Promise<RunningService> {
      const replica = await bootService(registryService, env);
      replicas.push(replica);
      return replica;
    },
    /** Everything that the registry told so far, in order. */
    async news(): Promise<Record<string, unknown>[]> {
      const all: { at: number; news: Record<string, unknown> }[] = [];
      for (const event of [executorJoined, executorLeft, manifestApproved]) {
        const what = event.subject.split('.').at(-1);
        await listener.readEvents(event, async (payload, { occurredAt: at }) => void all.push({ at, news: { what, ...payload } }));
      }
      return all.sort((a, b) => a.at - b.at).map(({ news }) => news);
    },
    /** Behind the curtain: a superuser's eyes and hands. */
    async asAdmin<T>(sql: string): Promise<T[]> {
      const admin = await openStore({ schema: 'registry', entities: [], url: database.adminUrl });
      return (admin.query(sql) as Promise<T[]>).finally(() => admin.destroy());
    },
    teamB,
    announce,
    announceB,
    authority,
    approve,
    approveOf,
    executors,
    manifests,
    states,
    /** As an executor does that is not made with the kit. */
    async publishRaw(subject: string, body: unknown, user = 'docs'): Promise<void> {
      const raw = await connect({ servers: nats.url, user, pass: nats.passwords[user] });
      raw.publish(subject, JSON.stringify(body));
      await raw.drain();
    },
    /** Announces exactly these tools and approves them. */
    async serve(...tools: ToolManifest[]): Promise<void> {
      announce(tools);
      await until(manifests, (seen) => tools.every((tool) => seen.some((one) => one.schemaDigest === tool.schemaDigest)));
      await approve(...tools);
    },
    async resolve({ ticket, receipt }: Turn, minEpoch?: number): Promise<CallOutput<typeof resolveTools>> {
      const shown = { minEpoch, ticket: await tickets.sign(ticket), receipts: [await receipts.sign(receipt)] };
      return orchestrator.call(resolveTools, shown);
    },
    async stop(): Promise<void> {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await nats.close();
      await database.close();
    },
  };
}
