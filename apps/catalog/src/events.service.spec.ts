import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getEntitlements } from '@skillgate/contracts/calls/accounts';
import { loadSkill } from '@skillgate/contracts/calls/catalog';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { approveManifest, listManifests } from '@skillgate/contracts/calls/registry';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { entitlementsChanged } from '@skillgate/contracts/events/accounts';
import { skillPublished, skillRetired } from '@skillgate/contracts/events/catalog';
import { manifestDigest } from '@skillgate/contracts/manifest-digest';
import { edgesOf } from '@skillgate/contracts/service-edges';
import { accountsEdges } from '@skillgate/contracts/services/accounts';
import { platformEdges } from '@skillgate/contracts/services/all';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { streamsOf } from '@skillgate/contracts/streams';
import { registryService } from '@skillgate/registry/registry.service-definition';
import { registryStore } from '@skillgate/registry/store-definition';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import type { ServiceDefinition } from '@skillgate/service-kit/service-definition';
import { makeSigner, newSigningKey, type Signer } from '@skillgate/service-kit/signing';
import { EntitlementsProjection } from '@skillgate/store/entitlements-projection';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import { ROOM, type CatalogRoom } from './catalog-room.js';
import { catalogService } from './catalog.service-definition.js';
import { prepare } from './prepare-turn.js';
import { catalogStore } from './store-definition.js';

/** Catalog and registry as they are, with what they tell each other; accounts and gateway are stand-ins with keys. */
const shippedSkills = join(import.meta.dirname, '../../../skills');
const listenerEdges = edgesOf({
  service: 'listener',
  serves: [],
  calls: [],
  emits: [],
  hears: [],
  watches: [skillPublished, skillRetired],
});

let nats: TestNats;
let database: TestDatabase;
let skills: string;
let tickets: Signer;
let wires: Record<'gateway' | 'accounts' | 'orchestrator' | 'analytics' | 'listener', Wire>;
let env: Record<'catalog' | 'registry', NodeJS.ProcessEnv>;
const running: RunningService[] = [];
const asked: string[] = [];

beforeAll(async () => {
  const edges = [...platformEdges, executorEdges('analytics'), listenerEdges];
  [nats, database] = await Promise.all([withNats(edges), withDatabase()]);
  skills = await mkdtemp(join(tmpdir(), 'skillgate-skills-'));
  await cp(shippedSkills, skills, { recursive: true });
  const names = ['gateway', 'accounts', 'orchestrator', 'analytics', 'listener'] as const;
  wires = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await nats.connect(name)]))) as typeof wires;
  tickets = makeSigner(await newSigningKey(), 'gateway');
  await wires.accounts.reconcileStreams(streamsOf(accountsEdges));
  await wires.gateway.serve(gatewayPublicKeys, async () => tickets.publicKeys()).ready;
  await wires.accounts.serve(getEntitlements, async ({ account, minEpoch }) => (asked.push(account), facts(account, minEpoch))).ready;
  const common = { SKILLGATE_NATS_URL: nats.url, SKILLGATE_LOG_LEVEL: 'silent' };
  env = {
    catalog: {
      ...common,
      SKILLGATE_NATS_PASSWORD: nats.passwords.catalog,
      SKILLGATE_DATABASE_URL: await database.migrate(catalogStore),
      SKILLGATE_SIGNING_KEY: JSON.stringify(await newSigningKey()),
      SKILLGATE_SKILLS_DIR: skills,
    },
    registry: {
      ...common,
      SKILLGATE_NATS_PASSWORD: nats.passwords.registry,
      SKILLGATE_DATABASE_URL: await database.migrate(registryStore),
      SKILLGATE_SIGNING_KEY: JSON.stringify(await newSigningKey()),
    },
  };
  await boot('catalog');
  await boot('catalog');
}, 60_000);

afterAll(async () => {
  await Promise.all(running.map((service) => service.stop(2_000)));
  await nats?.close();
  await database?.close();
  await rm(skills, { recursive: true, force: true });
});

async function boot(name: 'catalog' | 'registry'): Promise<RunningService> {
  const services = { catalog: catalogService, registry: registryService } as unknown as Record<typeof name, ServiceDefinition>;
  const service = await bootService(services[name], env[name]);
  running.push(service);
  return service;
}

const facts = (account: string, policyEpoch: number, change: Partial<Entitlements> = {}): Entitlements => ({
  account,
  tier: 'pro',
  capabilities: ['tools'],
  integrations: [],
  skills: {},
  locks: { operator: {}, admin: {} },
  policyEpoch,
  ...change,
});
const tell = (told: Entitlements) => wires.accounts.publishEvent(entitlementsChanged, told, { id: randomUUID() });

async function ticketOf(account: string, policyEpoch = 1): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 300;
  const place = { account, user: randomUUID(), chat: randomUUID(), turn: randomUUID() };
  return tickets.sign({ typ: 'ticket', ...place, overrides: {}, policyEpoch, exp });
}

/** Where a skill stands in a turn, by each replica of the catalog: in the list, or withheld with its reasons. One word if all agree. */
async function standing(skill: string, account: string = randomUUID()): Promise<string> {
  const input = { ticket: await ticketOf(account), modelUsesTools: true, pinned: [], shown: [], midTurn: false, lookAgain: false };
  const replicas = running.filter(({ name }) => name === 'catalog');
  const answers = await Promise.all(replicas.map(({ app }) => prepare(app.get<CatalogRoom>(ROOM, { strict: false }), input)));
  const words = answers.map(({ entries, withheld }) => {
    if (entries.some(({ slug }) => slug === skill)) return 'listed';
    return (
      withheld
        .find(({ slug }) => slug === skill)
        ?.unmet.map(({ kind, need }) => `${kind}: ${need}`)
        .join() ?? 'nowhere'
    );
  });
  return [...new Set(words)].join(' or ');
}

async function until<T>(read: () => Promise<T>, good: (value: T) => boolean, ms = 5_000): Promise<T> {
  for (const end = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const value = await read();
    if (good(value) || Date.now() > end) return value;
  }
}

describe('a skill whose profile nobody serves', () => {
  const chart = {
    name: 'analytics_run_python',
    profile: 'analytics',
    effect: 'read' as const,
    description: 'Runs Python over a data file.',
    inputSchema: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
    timeoutMs: 60_000,
  };

  it('is listed while the registry was never heard: what it opens is decided there', async () => {
    expect(await standing('data-analysis')).toBe('listed');
  });

  it('is withheld with the reason once the registry has said what is approved, and its load is refused', async () => {
    await boot('registry');
    const reason = await until(
      () => standing('data-analysis'),
      (found) => found === 'profile-unserved: analytics',
    );
    expect(reason).toBe('profile-unserved: analytics');
    const load = wires.orchestrator.call(loadSkill, { ticket: await ticketOf(randomUUID()), slug: 'data-analysis', modelUsesTools: true });
    await expect(load).rejects.toMatchObject({
      slug: 'skill-unmet',
      message: expect.stringContaining('analytics is served by no executor here'),
    });
  });

  it('is still withheld when an executor merely says that it serves it', async () => {
    const tools = [{ ...chart, schemaDigest: manifestDigest(chart) }];
    wires.analytics.announce({ executor: 'analytics', version: '1.0.0', instance: 'analytics-1', state: 'serving', tools });
    await until(
      () => wires.gateway.call(listManifests, {}),
      ({ executors }) => executors.length > 0,
    );
    expect(await standing('data-analysis')).toBe('profile-unserved: analytics');
  });

  it('appears in every replica when an operator approves a manifest that serves it', async () => {
    const tools = [{ name: chart.name, schemaDigest: manifestDigest(chart) }];
    const exp = Math.floor(Date.now() / 1000) + 300;
    const operator = { typ: 'ticket', account: randomUUID(), user: randomUUID(), roles: ['operator'], overrides: {}, policyEpoch: 1, exp };
    await wires.gateway.call(approveManifest, { authority: await tickets.sign(operator), executor: 'analytics', by: 'ops', tools });
    expect(
      await until(
        () => standing('data-analysis'),
        (found) => found === 'listed',
      ),
    ).toBe('listed');
  });

  it('stays when that executor goes away: a catalog does not change with who is alive', async () => {
    wires.analytics.announce({ executor: 'analytics', version: '1.0.0', instance: 'analytics-1', state: 'leaving', tools: [] });
    await until(
      () => wires.gateway.call(listManifests, {}),
      ({ executors }) => executors.every(({ instances }) => instances === 0),
    );
    expect(await standing('data-analysis')).toBe('listed');
    await boot('catalog');
    expect(await standing('data-analysis')).toBe('listed');
  });
});

describe('the facts of an account', () => {
  it('reach every replica with their event, and the next turn is decided on them without asking accounts', async () => {
    const account = randomUUID();
    await tell(facts(account, 1));
    const replicas = running.filter(({ name }) => name === 'catalog');
    const epochs = async () =>
      (await Promise.all(replicas.map(({ app }) => app.get(EntitlementsProjection, { strict: false }).of(account, 0))))
        .map((found) => found.policyEpoch)
        .join();
    await until(epochs, (found) => /^1(,1)+$/.test(found));
    expect(await standing('data-analysis', account)).toBe('listed');
    asked.length = 0;
    await tell(facts(account, 2, { skills: { 'data-analysis': 'never' } }));
    await until(epochs, (found) => /^2(,2)+$/.test(found));
    expect(await standing('data-analysis', account)).toBe(''); // switched off: nothing is unmet
    expect(asked).toEqual([]);
  });
});

describe('what the catalog tells', () => {
  const told = async () => {
    const published: string[] = [];
    const retired: string[] = [];
    await wires.listener.readEvents(skillPublished, async ({ slug, version }) => void published.push(`${slug}@${version}`));
    await wires.listener.readEvents(skillRetired, async ({ slug, version, reason }) => void retired.push(`${slug}@${version}: ${reason}`));
    return { published, retired };
  };

  it('names each skill once, though two replicas publish the same folder', async () => {
    const { published, retired } = await until(told, (news) => news.published.length >= 8);
    expect(new Set(published).size).toBe(published.length);
    expect(published.map((ref) => ref.split('@')[0])).toContain('data-analysis');
    expect(retired).toEqual([]);
  });

  it('names what came and what went with a later start, and nothing else', async () => {
    const before = await told();
    await rm(join(skills, 'meeting-notes'), { recursive: true });
    const file = join(skills, 'briefing-memo/SKILL.md');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/skillgate\.version: .*/, "skillgate.version: '9.9.9'"));
    await boot('catalog');
    const after = await until(told, ({ published, retired }) => published.length > before.published.length && retired.length > 0);
    expect(after.published.slice(before.published.length)).toEqual(['briefing-memo@9.9.9']);
    expect(after.retired).toEqual([expect.stringMatching(/^meeting-notes@\S+: Its folder was removed/)]);
  });
});
