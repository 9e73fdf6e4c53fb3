import { randomUUID } from 'node:crypto';
import { getEntitlements } from '@skillgate/contracts/calls/accounts';
import * as calls from '@skillgate/contracts/calls/catalog';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import type { CallInput, CallOutput } from '@skillgate/contracts/define-call';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { platformEdges } from '@skillgate/contracts/services/all';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { SkillStates } from '@skillgate/contracts/words';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import { makeSigner, newSigningKey, type Signer } from '@skillgate/service-kit/signing';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import { catalogService } from './catalog.service-definition.js';
import { SkillsDirectory, type SkillText } from './skills.fixture.js';
import { catalogStore } from './store-definition.js';

export const facts = (more: Partial<Entitlements> = {}): Entitlements => ({
  account: randomUUID(),
  tier: 'pro',
  capabilities: ['tools'],
  integrations: [],
  skills: {},
  locks: { operator: {}, admin: {} },
  policyEpoch: 1,
  ...more,
});

export const slugs = (entries: readonly { slug: string }[]): string[] => entries.map(({ slug }) => slug);

type PeerName = 'accounts' | 'gateway' | 'orchestrator' | 'registry';

/** NATS with the generated permissions, the catalog's peers on it, and as many catalogs as a test opens. */
export class CatalogWorld {
  private readonly accounts = new Map<string, Entitlements>();
  private readonly houses: CatalogHouse[] = [];

  private constructor(
    readonly nats: TestNats,
    readonly wires: Record<PeerName, Wire>,
    /** Signs tickets. */
    readonly gateway: Signer,
  ) {}

  static async open(): Promise<CatalogWorld> {
    const nats = await withNats(platformEdges);
    const names: PeerName[] = ['accounts', 'gateway', 'orchestrator', 'registry'];
    const pairs = await Promise.all(names.map(async (name) => [name, await nats.connect(name)] as const));
    const world = new CatalogWorld(nats, Object.fromEntries(pairs) as Record<PeerName, Wire>, makeSigner(await newSigningKey(), 'gateway'));
    await world.wires.gateway.serve(gatewayPublicKeys, async () => world.gateway.publicKeys()).ready;
    await world.wires.accounts.serve(getEntitlements, async ({ account, minEpoch }) => {
      const found = world.accounts.get(account);
      if (!found) throw refuse('unknown-account', 'No such account.');
      if (found.policyEpoch < minEpoch) throw refuse('epoch-not-reached', 'Not yet.');
      return found;
    }).ready;
    return world;
  }

  /** A database and a skills directory; `start` runs a catalog, or another replica of it, on them. */
  async house(skills: Record<string, SkillText> = {}): Promise<CatalogHouse> {
    const database = await withDatabase();
    const house = new CatalogHouse(this.nats, await SkillsDirectory.make(skills), database, await database.migrate(catalogStore));
    this.houses.push(house);
    return house;
  }

  /** To be called after each test. */
  async closeHouses(): Promise<void> {
    for (const house of this.houses.splice(0)) await house.close();
  }

  /** Of a turn of this account, which then has these entitlements. */
  async ticketOf(entitlements: Entitlements, overrides: SkillStates = {}, more: Partial<TicketClaims> = {}): Promise<string> {
    const { account, policyEpoch } = entitlements;
    this.accounts.set(account, entitlements);
    const exp = Math.floor(Date.now() / 1000) + 300;
    return this.gateway.sign({
      typ: 'ticket',
      account,
      user: randomUUID(),
      chat: randomUUID(),
      turn: randomUUID(),
      overrides,
      policyEpoch,
      exp,
      ...more,
    });
  }

  prepare(ticket: string, more: Partial<CallInput<typeof calls.prepareTurn>> = {}): Promise<CallOutput<typeof calls.prepareTurn>> {
    return this.wires.orchestrator.call(calls.prepareTurn, { ticket, modelUsesTools: true, ...more });
  }

  load(ticket: string, slug: string, modelUsesTools = true): Promise<CallOutput<typeof calls.loadSkill>> {
    return this.wires.orchestrator.call(calls.loadSkill, { ticket, slug, modelUsesTools });
  }

  async listed(): Promise<CallOutput<typeof calls.listSkills>['skills']> {
    return (await this.wires.gateway.call(calls.listSkills, {})).skills;
  }
}

export class CatalogHouse {
  private readonly running: RunningService[] = [];
  private readonly signingKey = newSigningKey();

  constructor(
    private readonly nats: TestNats,
    readonly directory: SkillsDirectory,
    readonly database: TestDatabase,
    /** With the rights of the service. */
    readonly url: string,
  ) {}

  async start(): Promise<void> {
    const service = await bootService(catalogService, {
      SKILLGATE_NATS_URL: this.nats.url,
      SKILLGATE_NATS_PASSWORD: this.nats.passwords['catalog'],
      SKILLGATE_LOG_LEVEL: 'silent',
      SKILLGATE_DATABASE_URL: this.url,
      SKILLGATE_SIGNING_KEY: JSON.stringify(await this.signingKey),
      SKILLGATE_SKILLS_DIR: this.directory.path,
    });
    this.running.push(service);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.database.close();
    await this.directory.remove();
  }

  private async stop(): Promise<void> {
    await Promise.all(this.running.splice(0).map((service) => service.stop(2_000)));
  }
}
