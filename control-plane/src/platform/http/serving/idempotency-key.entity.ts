import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../db/columns.js';

/** A request with an Idempotency-Key, and its sealed answer. */
@Entity('idempotency_key')
@Index('idempotency_key_expires_idx', ['expires'])
@Check('idempotency_key_stage_check', "stage IN ('claimed', 'committed', 'done')")
export class IdempotencyKeyEntity {
  @PrimaryColumn('uuid') principalId!: string;
  @PrimaryColumn('uuid') workspaceId!: string;
  @PrimaryColumn('text') operation!: string;
  @PrimaryColumn('text') key!: string;
  @Column('bytea') fingerprint!: Buffer;
  @Column('text', { default: 'claimed' }) stage!: string;
  @Column('uuid') owner!: string;
  @TimeColumn() lockedUntil!: Date;
  @TimeColumn() expires!: Date;
  @Column('bytea', { nullable: true }) answer!: Buffer | null;
  @Column('text', { nullable: true }) location!: string | null;
}

/** Bytes of the answers that are kept for a principal. */
@Entity('idempotency_usage')
@Check('idempotency_usage_bytes_check', 'bytes >= 0')
export class IdempotencyUsageEntity {
  @PrimaryColumn('uuid') principalId!: string;
  @Column('bigint') bytes!: number;
}
