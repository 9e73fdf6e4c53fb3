import type { LimitOverrides, Limits, Role } from '@skillgate/contracts/entitlements';
import type { SkillState } from '@skillgate/contracts/words';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('tiers')
export class TierRow {
  @PrimaryColumn('text') name!: string;
  @Column('text', { array: true }) capabilities!: string[];
  @Column('jsonb') limits!: Limits;
  /** Grows with each change, by a trigger. */
  @Column('int', { default: 1 }) revision!: number;
}

@Entity('accounts')
export class AccountRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  @Column('text') tier!: string;
  /** The version of the tier that counts here; behind the newest until the account follows. */
  @Column('int', { name: 'tier_revision' }) tierRevision!: number;
  @Column('jsonb', { name: 'limit_overrides', default: {} }) limitOverrides!: LimitOverrides;
  /** Rights beside those of the tier. */
  @Column('text', { name: 'extra_capabilities', array: true, default: [] }) extraCapabilities!: string[];
  @Column('boolean', { name: 'is_operator', default: false }) isOperator!: boolean;
  @Column('int', { name: 'policy_epoch', default: 1 }) policyEpoch!: number;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt!: Date;
}

@Entity('users')
export class UserRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') account!: string;
  @Column('text') name!: string;
  /** The most that a key or a token of this user may do. */
  @Column('text', { array: true, default: ['user'] }) roles!: Role[];
  /** All keys of a revoked user are dead. */
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt!: Date;
}

@Entity('api_keys')
export class ApiKeyRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') account!: string;
  @Column('uuid') user!: string;
  @Column('text') name!: string;
  @Column('text', { array: true }) roles!: Role[];
  @Column('bytea') hash!: Buffer;
  @Column('text') prefix!: string;
  /** Comes from the configuration of this installation, not from a person. */
  @Column('boolean', { name: 'from_config', default: false }) fromConfig!: boolean;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
  /** Coarse, to the hour: a write for every request would cost more than the reading. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
}

/** Who a user is to another issuer of tokens. */
@Entity('identities')
export class IdentityRow {
  @PrimaryColumn('uuid') account!: string;
  @PrimaryColumn('text') issuer!: string;
  @PrimaryColumn('text') subject!: string;
  @Column('uuid') user!: string;
}

@Entity('integrations')
export class IntegrationRow {
  @PrimaryColumn('uuid') account!: string;
  @PrimaryColumn('text') name!: string;
  @Column('text') status!: 'connected' | 'disconnected';
}

@Entity('skill_states')
export class SkillStateRow {
  @PrimaryColumn('uuid') account!: string;
  @PrimaryColumn('text') skill!: string;
  @Column('text') state!: SkillState;
}

@Entity('skill_locks')
export class SkillLockRow {
  @PrimaryColumn('uuid') account!: string;
  @PrimaryColumn('text') skill!: string;
  @PrimaryColumn('text') by!: 'operator' | 'admin';
  @Column('text') state!: 'always' | 'never';
}
