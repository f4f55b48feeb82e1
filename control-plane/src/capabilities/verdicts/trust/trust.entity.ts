import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn, CreatedEntity } from '../../../platform/db/columns.js';

/** A suspect period of a region. */
@Entity('suspect_period')
@Index('suspect_period_ended_idx', ['region', 'ended'])
@Index('suspect_period_open_key', ['region'], { unique: true, where: 'ended IS NULL' })
@Check('suspect_period_reason_check', "reason IN ('correlated_failures', 'blind_agents')")
export class SuspectPeriodEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('smallint') region!: number;
  @Column('text') reason!: string;
  @TimeColumn() onset!: Date;
  @TimeColumn() noticed!: Date;
  @TimeColumn({ nullable: true }) calmSince!: Date | null;
  @TimeColumn({ nullable: true }) ended!: Date | null;
  @Column('jsonb') facts!: unknown;
}

/** A second opinion on a streak of failures. */
@Entity('second_opinion')
@Index('second_opinion_asked_idx', ['asked'])
export class SecondOpinionEntity {
  @PrimaryColumn('bigint') monitorKey!: number;
  @PrimaryColumn('smallint') kind!: number;
  @PrimaryColumn('smallint') region!: number;
  @PrimaryColumn('timestamptz', { precision: 3 }) streakSince!: Date;
  @TimeColumn() asked!: Date;
  @Column('smallint', { nullable: true }) askedRegion!: number | null;
  @TimeColumn({ nullable: true }) answered!: Date | null;
  @Column('smallint', { nullable: true }) outcome!: number | null;
  @Column('jsonb', { nullable: true }) result!: unknown;
  @Column('text', { nullable: true }) refusal!: string | null;
}

/** A message to the operator of the installation. */
@Entity('operator_notice')
@Index('operator_notice_created_idx', ['created'])
export class OperatorNoticeEntity extends CreatedEntity {
  @Column('text') kind!: string;
  @Column('text', { nullable: true }) region!: string | null;
  @Column('text') message!: string;
  @Column('jsonb') detail!: unknown;
}
