import type { Route, RouteStep, TokenLedger, TurnCost } from '@skillgate/contracts/route';
import type { SkillDecision, SkillPin } from '@skillgate/contracts/calls/catalog';
import type { PersonaRef } from '@skillgate/contracts/tokens';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { HistoryItem } from '@skillgate/prompt/history';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Compacted } from './visible-history.js';
import type { OpenRound, Spent, TurnRequest } from './turn-records.js';

/** What a turn remembers of itself for the route, beside its steps. */
export interface TurnFacts {
  visible: string[];
  withheld: SkillDecision[];
  tokens: TokenLedger;
  /** Absent in turns that were written down before it was reckoned, and while no model has answered. */
  cost?: TurnCost;
  catalogHash: string | null;
  /** Absent in turns that were written down before it was counted. */
  catalogLines?: Route['catalogLines'];
  persona?: Route['persona'];
  personaEnded?: Route['personaEnded'];
  entered?: Route['entered'];
  /** Why each visible skill is visible. */
  decisions?: SkillDecision[];
  warnings?: string[];
  recognised?: Route['recognised'];
}

@Entity('chats')
export class ChatRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') account!: string;
  @Column('uuid') user!: string;
  @Column('text') model!: string;
  /** The span in which the prefix below stays frozen, byte for byte. */
  @Column('int') epoch!: number;
  @Column('text', { nullable: true }) prefix!: string | null;
  @Column('text', { name: 'prefix_hash', nullable: true }) prefixHash!: string | null;
  /** Did the frozen prefix offer tools? */
  @Column('boolean', { name: 'prefix_tools', nullable: true }) prefixTools!: boolean | null;
  /** What the model was last told of, by the prefix, by a notice or by instructions; see begin-epoch.ts. */
  @Column('jsonb') announced!: string[];
  @Column('jsonb') pinned!: SkillPin[];
  /** What models read in place of the beginning of the chat. */
  @Column('jsonb', { nullable: true }) compacted!: Compacted | null;
  /** As whom the model answers since this epoch began. */
  @Column('jsonb', { nullable: true }) persona!: PersonaRef | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}

@Entity('chat_items')
export class ChatItemRow {
  @PrimaryColumn('uuid') chat!: string;
  @PrimaryColumn('int') seq!: number;
  @Column('uuid') account!: string;
  @Column('uuid') turn!: string;
  @Column('jsonb') item!: HistoryItem;
}

@Entity('turns')
export class TurnRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') account!: string;
  @Column('uuid') user!: string;
  @Column('uuid') chat!: string;
  @Column('text') status!: 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled';
  @Column('text') model!: string;
  @Column('text') plan!: string;
  @Column('text', { name: 'trace_id' }) traceId!: string;
  @Column('timestamptz', { name: 'started_at' }) startedAt!: Date;
  @Column('timestamptz', { name: 'ended_at', nullable: true }) endedAt!: Date | null;
  /** Raised by each takeover: who writes under a lower one has lost the turn. */
  @Column('int') attempt!: number;
  /** The running instance renews this; a turn whose lease lapsed has lost its instance. */
  @Column('timestamptz', { name: 'lease_until' }) leaseUntil!: Date;
  @Column('boolean', { name: 'cancel_requested' }) cancelRequested!: boolean;
  @Column('jsonb', { nullable: true }) outcome!: TurnOutcome | null;
  @Column('jsonb', { nullable: true }) facts!: TurnFacts | null;
  /** While the turn runs: what another instance needs to go on with it. The ticket in it is a credential. */
  @Column('jsonb', { nullable: true, select: false }) request!: TurnRequest | null;
  @Column('jsonb', { nullable: true, select: false }) usage!: Spent | null;
  @Column('jsonb', { nullable: true, select: false }) round!: OpenRound | null;
}

@Entity('turn_steps')
export class TurnStepRow {
  @PrimaryColumn('uuid') turn!: string;
  @PrimaryColumn('int') n!: number;
  @Column('uuid') account!: string;
  @Column('jsonb') step!: RouteStep;
}
