import type { EntityManager } from 'typeorm';
import { limits, type Entitlements, type LimitOverrides } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import type { AccountFacts } from './account-facts.js';

type FactsRow = Omit<Entitlements, 'policyEpoch' | 'locks'> & {
  name: string;
  created_at: Date;
  policy_epoch: number;
  extra_capabilities: string[];
  limit_overrides: LimitOverrides;
  operator_locks: Entitlements['locks']['operator'];
  admin_locks: Entitlements['locks']['admin'];
  personas: NonNullable<Entitlements['personas']> | null;
};

/**
 * An account counts the version of its tier that it was told of, not the newest: what follows a changed tier is the account,
 * with an epoch of its own.
 */
export const accountsWithTier = 'accounts a JOIN tier_versions t ON t.name = a.tier AND t.revision = a.tier_revision';
export const effectiveRights = `ARRAY(SELECT DISTINCT unnest(t.capabilities || a.extra_capabilities) ORDER BY 1) AS capabilities,
    t.limits || a.limit_overrides AS limits`;

// One statement is one snapshot: an epoch never stands beside the facts of another.
const select = `
  SELECT a.id AS account, a.name, a.created_at, a.tier, a.policy_epoch, a.extra_capabilities, a.limit_overrides,
    ${effectiveRights},
    ARRAY(SELECT i.name FROM integrations i WHERE i.account = a.id AND i.status = 'connected' ORDER BY 1) AS integrations,
    coalesce((SELECT jsonb_object_agg(s.skill, s.state) FROM skill_states s WHERE s.account = a.id), '{}') AS skills,
    coalesce((SELECT jsonb_object_agg(skill, state) FROM skill_locks l WHERE l.account = a.id AND by = 'operator'), '{}') AS operator_locks,
    coalesce((SELECT jsonb_object_agg(skill, state) FROM skill_locks l WHERE l.account = a.id AND by = 'admin'), '{}') AS admin_locks,
    (SELECT jsonb_agg(jsonb_build_object('id', p.id, 'slug', p.slug, 'revision', p.revision, 'skills', p.skills, 'integrations', to_jsonb(p.integrations)) ORDER BY p.slug COLLATE "C")
      FROM personas p WHERE p.account = a.id AND p.retired_at IS NULL) AS personas
  FROM ${accountsWithTier}
  WHERE a.id = $1`;

/** Inside a transaction of the account. Refuses `unknown-account`. */
export async function selectFacts(sql: EntityManager, account: string): Promise<AccountFacts> {
  const [row] = (await sql.query(select, [account])) as FactsRow[];
  if (!row) throw unknownAccount(account);
  const { name, created_at: createdAt, policy_epoch: policyEpoch, operator_locks: operator, admin_locks: admin, personas, ...rights } = row;
  const { extra_capabilities: extraCapabilities, limit_overrides: limitOverrides, ...rest } = rights;
  const entitlements = { ...rest, limits: limits.parse(rest.limits), locks: { operator, admin }, ...(personas && { personas }), policyEpoch };
  return { name, createdAt, extraCapabilities, limitOverrides, entitlements };
}

export const unknownAccount = (account: string): Error => refuse('unknown-account', `There is no account ${account}; check the id.`);
