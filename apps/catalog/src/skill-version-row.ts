import type { PackageFileFacts } from '@skillgate/contracts/calls/skill-versions';
import type { SkillRequirements } from '@skillgate/contracts/tokens';
import type { SkillState } from '@skillgate/contracts/words';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SkillProblem } from './skill-version.js';

/** A published version, or with status `invalid` and an empty version a folder that cannot be one. */
@Entity('skill_versions')
export class SkillVersionRow {
  @PrimaryColumn('text') slug!: string;
  @PrimaryColumn('text') version!: string;
  @Column('text', { nullable: true }) digest!: string | null;
  @Column('text') title!: string;
  @Column('text') description!: string;
  @Column('boolean') hidden!: boolean;
  @Column('text', { name: 'default_state' }) defaultState!: SkillState;
  @Column('jsonb') requires!: SkillRequirements;
  @Column('text') body!: string;
  @Column('jsonb') problems!: SkillProblem[];
  @Column('text') status!: 'published' | 'invalid';
  /** Whether new loads get this version. */
  @Column('boolean') current!: boolean;
  /** Who brought it: the skills directory, or an operator. */
  @Column('text') origin!: 'directory' | 'api';
  /** Whether the skills directory holds it. */
  @Column('boolean', { name: 'in_directory' }) inDirectory!: boolean;
  @Column('timestamptz', { name: 'retired_at', nullable: true }) retiredAt!: Date | null;
  @Column('text', { name: 'retired_reason', nullable: true }) retiredReason!: string | null;
  /** Names of its files; their bytes are rows of `skill_files`. */
  @Column('jsonb') files!: PackageFileFacts[];
  @Column('timestamptz', { name: 'published_at', default: () => 'now()' }) publishedAt!: Date;
}
