import { randomUUID } from 'node:crypto';
import * as accounts from '@skillgate/contracts/calls/accounts';
import { explainSkills, listSkills } from '@skillgate/contracts/calls/catalog';
import { approveManifest, listManifests, listProfiles } from '@skillgate/contracts/calls/registry';
import { refuse } from '@skillgate/contracts/refusal';
import type { GatewayHouse } from '../gateway-house.fixture.js';

export interface NotedCall {
  call: string;
  input: unknown;
}

/** Accounts, catalog and registry as their contracts have them; what changes something is noted in `calls`. */
export async function servePeers(house: GatewayHouse, calls: NotedCall[]): Promise<void> {
  const { accounts: accountsWire, catalog, registry } = house.wires;
  const noted =
    <I, O>(call: string, answer: (input: I) => O) =>
    async (input: I) => {
      calls.push({ call, input });
      return answer(input);
    };
  const view = (account: string) => ({
    id: account,
    name: 'A',
    tier: 'pro',
    capabilities: [],
    integrations: [],
    policyEpoch: 1,
    createdAt: new Date().toISOString(),
  });
  const facts = (account: string) => ({ account, tier: 'pro', capabilities: ['tools'], integrations: [], policyEpoch: 2 });
  const known = (tier: string) => {
    if (tier !== 'pro') throw refuse('unknown-tier', `There is no tier "${tier}".`);
  };
  const skill = {
    slug: 'meeting-notes',
    state: 'available' as const,
    layer: 'default' as const,
    usable: true,
    unmet: [],
    version: '1.0.0',
    digest: 'a'.repeat(64),
    title: 'Meeting notes',
  };
  const hearings = [
    accountsWire.serve(
      accounts.createAccount,
      noted('create', ({ tier }) => (known(tier), view(randomUUID()))),
    ),
    accountsWire.serve(
      accounts.getAccount,
      noted('get', ({ account }) => view(account)),
    ),
    accountsWire.serve(
      accounts.setTier,
      noted('tier', ({ account, tier }) => (known(tier), view(account))),
    ),
    accountsWire.serve(
      accounts.setIntegration,
      noted('integration', ({ account }) => view(account)),
    ),
    accountsWire.serve(
      accounts.setSkillState,
      noted('state', ({ account }) => facts(account)),
    ),
    accountsWire.serve(
      accounts.setSkillLock,
      noted('lock', ({ account }) => facts(account)),
    ),
    accountsWire.serve(
      accounts.createApiKey,
      noted('key', ({ name }) => ({
        id: randomUUID(),
        name,
        user: randomUUID(),
        secret: 'sk-sg-new',
        createdAt: new Date().toISOString(),
      })),
    ),
    accountsWire.serve(
      accounts.revokeApiKey,
      noted('revoke', ({ key }) => ({ id: key, revoked: true as const })),
    ),
    catalog.serve(explainSkills, async ({ skill: only }) => {
      if (only && only !== skill.slug) throw refuse('unknown-skill', `There is no skill "${only}" here.`);
      return { skills: [skill] };
    }),
    catalog.serve(listSkills, async () => ({ skills: [] })),
    registry.serve(listManifests, async () => ({ executors: [] })),
    registry.serve(listProfiles, async () => ({ profiles: [], allToolsTokens: 0 })),
    registry.serve(
      approveManifest,
      noted('approve', ({ tools }) => ({ approved: tools.map(({ name }) => name) })),
    ),
  ];
  await Promise.all(hearings.map(({ ready }) => ready));
}
