import type { ToolEffect } from '@skillgate/contracts/words';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('approved_tools')
export class ApprovedToolRow {
  @PrimaryColumn('text') tool!: string;
  @Column('text') executor!: string;
  @Column('text', { name: 'own_name' }) ownName!: string;
  @Column('text') profile!: string;
  @Column('text') effect!: ToolEffect;
  @PrimaryColumn('text', { name: 'schema_digest' }) schemaDigest!: string;
  @Column('text') description!: string;
  /** Of type json and not jsonb: the order of keys is part of what a model reads. */
  @Column('json', { name: 'input_schema' }) inputSchema!: Record<string, unknown>;
  @Column('int', { name: 'timeout_ms' }) timeoutMs!: number;
  @Column('text', { name: 'approved_by' }) approvedBy!: string;
  @Column('timestamptz', { name: 'approved_at' }) approvedAt!: Date;
}
