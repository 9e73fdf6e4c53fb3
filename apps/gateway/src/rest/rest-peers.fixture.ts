import { randomUUID } from 'node:crypto';
import * as accounts from '@skillgate/contracts/calls/accounts';
import { createApiKey, listApiKeys, revokeApiKey } from '@skillgate/contracts/calls/api-keys';
import { createPersona, retirePersona, updatePersona } from '@skillgate/contracts/calls/personas';
import { createUser, listUsers, revokeUser, updateUser } from '@skillgate/contracts/calls/users';
import { explainSkills, getChatSkills, listAudit as catalogAudit, listSkills, setChatSkills } from '@skillgate/contracts/calls/catalog';
import { getChat, getUsage, listAudit as orchestratorAudit, previewCatalog } from '@skillgate/contracts/calls/orchestrator';
import * as registryCalls from '@skillgate/contracts/calls/registry';
import type { AuditCall, AuditEntry } from '@skillgate/contracts/audit';
import type { Role } from '@skillgate/contracts/entitlements';
import { noLimits } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { decodeJwt } from 'jose';
import { people, persona, type GatewayHouse } from '../gateway-house.fixture.js';
import { serveIntegrations } from './integration-peers.fixture.js';

export interface NotedCall {
  call: string;
  /** Without the authority. */
  input: unknown;
  /** In the authority. */
  roles: Role[];
}

/** A chat of the user's own. */
export const ownChat = randomUUID();
/** A key of the user's own, and one of somebody else in the account. */
export const [ownKey, foreignKey] = [randomUUID(), randomUUID()];
const now = '2026-11-30T12:00:00.000Z';

/** As every callee does: what carries no authority is no change. */
export const noteTo =
  (calls: NotedCall[]) =>
  <I, O>(call: string, answer: (input: I) => O) =>
  async (input: I): Promise<O> => {
    const { authority, ...rest } = input as { authority?: string };
    if (!authority) throw refuse('authority-missing', `${call} came without an authority.`);
    calls.push({ call, input: rest, roles: decodeJwt<{ roles: Role[] }>(authority).roles });
    return answer(input);
  };

/** Accounts, catalog and registry as their contracts have them; what is asked of accounts and approved is noted in `calls`. */
export async function servePeers(house: GatewayHouse, calls: NotedCall[]): Promise<void> {
  const { accounts: accountsWire, catalog, registry, orchestrator } = house.wires;
  const noted = noteTo(calls);
  const view = (account: string) => ({
    ...{ id: account, name: 'A', tier: 'pro', capabilities: [], integrations: [], policyEpoch: 1, createdAt: now },
  });
  const facts = (account: string) => ({ account, tier: 'pro', capabilities: ['tools'], integrations: [], policyEpoch: 2 });
  const known = (tier: string) => {
    if (tier !== 'pro') throw refuse('unknown-tier', `There is no tier "${tier}".`);
  };
  const user = (account: string, roles: Role[] = ['user'], id = randomUUID() as string) => ({
    ...{ id, account, name: 'U', roles, identities: [], createdAt: now, revokedAt: null },
  });
  const key = (id: string, owner: string) => ({
    ...{ id, user: owner, name: 'k', roles: ['user' as const], prefix: 'sk-sg-ab', createdAt: now },
    ...{ expiresAt: null, revokedAt: null, lastUsedAt: null },
  });
  const skill = {
    ...{ slug: 'meeting-notes', state: 'available' as const, layer: 'default' as const, usable: true, unmet: [], version: '1.0.0' },
    ...{ digest: 'a'.repeat(64), title: 'Meeting notes' },
  };
  const pro = { name: 'pro', capabilities: [], limits: noLimits };
  const { user: asking } = people['user']!;
  const hearings = [
    accountsWire.serve(accounts.createAccount, noted('create', ({ tier }) => (known(tier), view(randomUUID())))),
    accountsWire.serve(accounts.getAccount, async ({ account }) => view(account)),
    accountsWire.serve(accounts.listAccounts, noted('list-accounts', () => ({ accounts: [view(randomUUID())] }))),
    accountsWire.serve(accounts.setTier, noted('tier', ({ account, tier }) => (known(tier), view(account)))),
    accountsWire.serve(accounts.setCapabilities, noted('capabilities', ({ account }) => view(account))),
    accountsWire.serve(accounts.setLimits, noted('limits', ({ account }) => view(account))),
    accountsWire.serve(accounts.setIntegration, noted('integration', ({ account }) => view(account))),
    accountsWire.serve(accounts.setSkillState, noted('state', ({ account }) => facts(account))),
    accountsWire.serve(accounts.setSkillLock, noted('lock', ({ account }) => facts(account))),
    accountsWire.serve(accounts.setSkillStates, noted('states', ({ account }) => facts(account))),
    accountsWire.serve(accounts.setSkillLocks, noted('locks', ({ account }) => facts(account))),
    accountsWire.serve(createPersona, noted('create-persona', ({ slug }) => persona({ slug }))),
    accountsWire.serve(updatePersona, noted('update-persona', ({ slug }) => persona({ slug }))),
    accountsWire.serve(retirePersona, noted('retire-persona', ({ slug }) => persona({ slug, retiredAt: now }))),
    accountsWire.serve(accounts.listTiers, noted('tiers', () => ({ tiers: [{ ...pro, accounts: 1 }] }))),
    accountsWire.serve(accounts.putTier, noted('put-tier', ({ name }) => ({ ...pro, name, following: 1, behind: 0 }))),
    accountsWire.serve(accounts.deleteTier, noted('delete-tier', ({ name }) => (known(name), { name, deleted: true as const }))),
    accountsWire.serve(listUsers, noted('users', ({ account }) => ({ users: [user(account)] }))),
    accountsWire.serve(createUser, noted('create-user', ({ account, roles }) => user(account, roles))),
    accountsWire.serve(updateUser, noted('update-user', ({ account, user: id, roles }) => user(account, roles, id))),
    accountsWire.serve(revokeUser, noted('revoke-user', ({ user: id }) => ({ id, revoked: true as const }))),
    accountsWire.serve(
      listApiKeys,
      noted('keys', ({ user: owner }) => ({
        keys: [key(ownKey, asking), key(foreignKey, randomUUID())].filter((each) => !owner || each.user === owner),
      })),
    ),
    accountsWire.serve(
      createApiKey,
      noted('key', ({ name }) => ({ id: randomUUID(), name, user: randomUUID(), secret: 'sk-sg-new', createdAt: now })),
    ),
    accountsWire.serve(revokeApiKey, noted('revoke', ({ key: id }) => ({ id, revoked: true as const }))),
    ...serveIntegrations(accountsWire, noted),
    ...[accountsWire, catalog, registry, orchestrator].map((wire, n) =>
      wire.serve(auditCalls[n]!, async ({ action }) => ({ entries: logOf(n, action) })),
    ),
    orchestrator.serve(getUsage, async () => {
      const [turns, tokens] = [{ used: 1, limit: 5 }, { used: 9, limit: null }];
      return { day: '2026-11-30', resetsAt: '2026-12-01T00:00:00.000Z', turns, tokens, parallelTurns: turns };
    }),
    catalog.serve(explainSkills, async ({ ticket, skill: only, ...input }) => {
      const { roles = [], chat } = decodeJwt<{ roles?: Role[]; chat?: string }>(ticket);
      calls.push({ call: 'explain', input: { ...input, ...(only && { skill: only }), ...(chat && { signedChat: chat }) }, roles });
      if (only && only !== skill.slug) throw refuse('unknown-skill', `There is no skill "${only}" here.`);
      return { skills: [skill, { ...skill, slug: 'house-style' }], warnings: ['Too much is always on.'] };
    }),
    catalog.serve(listSkills, async () => ({
      skills: [skill.slug, 'house-style', 'hidden-one'].map((slug) => ({
        ...{ slug, version: '1.0.0', digest: skill.digest, description: '', hidden: slug === 'hidden-one', status: 'published' as const },
        ...{ problems: [], bodyTokens: 0, requires: null },
      })),
    })),
    catalog.serve(getChatSkills, noted('chat-skills', () => ({ chat: ownChat, skills: {} }))),
    catalog.serve(setChatSkills, noted('set-chat-skills', ({ states, replace }) => {
      calls.at(-1)!.input = { states, replace };
      return { chat: ownChat, skills: {} };
    })),
    orchestrator.serve(getChat, async ({ ticket, chat, account }) => {
      const reader = decodeJwt<{ account: string; user: string; roles?: Role[] }>(ticket);
      const reaches = reader.user === asking || (reader.roles?.includes('operator') && (account ?? reader.account) === people['user']!.account);
      if (chat !== ownChat || !reaches) throw refuse('unknown-chat', `You have no chat ${chat} here.`);
      return { chat, model: 'default', persona: null, epoch: 0, createdAt: now };
    }),
    orchestrator.serve(previewCatalog, async ({ ticket, model }) => {
      const { persona: seenAs, chat, policyEpoch } = decodeJwt<{ persona?: { id: string; slug: string; revision: number }; chat?: string; policyEpoch: number }>(ticket);
      calls.push({ call: 'preview-catalog', input: { model, chat, persona: seenAs?.slug, policyEpoch }, roles: [] });
      return {
        ...{ model: model ?? 'default', persona: seenAs ?? null, toolsAllowed: true, block: 'B', hash: 'h', frozen: false, notice: null },
        ...{ tokens: { base: 1, catalog: 1, notice: 0, always: 0 }, budget: 6_000, lines: { full: 1, shortened: 0, grouped: 0 } },
        ...{ always: { skills: [], tokens: 0, budget: 4_000 }, warnings: [] },
      };
    }),
    registry.serve(registryCalls.listManifests, async () => ({ executors: [] })),
    registry.serve(registryCalls.listProfiles, noted('profiles', () => ({ profiles: [], allToolsTokens: 0 }))),
    registry.serve(registryCalls.listTools, noted('tools', () => ({ tools: [], tokens: 0 }))),
    registry.serve(registryCalls.previewTools, async ({ ticket, ...input }) => {
      calls.push({ call: 'preview', input, roles: decodeJwt<{ roles: Role[] }>(ticket).roles });
      return { loadable: true, profiles: [], tools: [], withheld: [], tokens: 0, policyEpoch: 1 };
    }),
    registry.serve(registryCalls.setProfilePolicy, noted('policy', ({ profile }) => ({ profile, said: {}, policy: allAllowed }))),
    registry.serve(registryCalls.tightenProfilePolicy, noted('tighten', ({ profile }) => ({ profile, said: {}, policy: allAllowed }))),
    registry.serve(registryCalls.withdrawApproval, noted('withdraw', ({ tools }) => ({ withdrawn: tools.map(({ name }) => name) }))),
    registry.serve(registryCalls.approveManifest, noted('approve', ({ tools }) => ({ approved: tools.map(({ name }) => name) }))),
  ];
  await Promise.all(hearings.map(({ ready }) => ready));
}

const auditCalls: AuditCall[] = [accounts.listAudit, catalogAudit, registryCalls.listAudit, orchestratorAudit];

const allowed = { policy: 'allow' as const, layer: 'profile' as const };
const allAllowed = { read: allowed, write: allowed, external: allowed };

/** Two changes a service, of which no two were made at the same time. */
function logOf(service: number, action = 'any'): AuditEntry[] {
  return [8, 3].map((second) => {
    const [id, at] = [randomUUID(), `2026-11-30T12:00:0${second}.00000${service}Z`];
    const what = { before: null, after: { tier: 'pro' }, traceId: null, target: 't', account: null };
    return { id, at, cursor: `${at}_${id}`, service: ['accounts', 'catalog', 'registry', 'orchestrator'][service]!, actor: { roles: [] }, action, ...what };
  });
}
