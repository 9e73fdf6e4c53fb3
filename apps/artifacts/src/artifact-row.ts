import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ArtifactStatus } from './artifact.js';

@Entity({ name: 'artifacts' })
export class ArtifactRow {
  /** The hexadecimal part of the artifact's id. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  account!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('uuid', { nullable: true })
  chat!: string | null;

  @Column('uuid', { nullable: true })
  turn!: string | null;

  /** The service that brought it: `gateway` for an upload, else the executor whose tool made it. */
  @Column('text', { name: 'made_by' })
  madeBy!: string;

  @Column('text')
  name!: string;

  @Column('text')
  mime!: string;

  @Column('integer')
  bytes!: number;

  @Column('text')
  sha256!: string;

  @Column('text')
  status!: ArtifactStatus;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
