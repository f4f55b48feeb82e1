import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn, DatedEntity } from '../../platform/db/columns.js';

/** A maintenance window of a workspace. A deleted one remains while its occurrences are history. */
@Entity('maintenance_window')
@Index('maintenance_window_workspace_idx', ['workspaceId', 'created', 'id'], { where: 'deleted_at IS NULL' })
@Index('maintenance_window_stored_idx', ['storedUntil'], {
  where: 'stored_until IS NOT NULL AND deleted_at IS NULL',
})
export class MaintenanceWindowEntity extends DatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'maintenance_window_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('text') name!: string;
  @Column('text') description!: string;
  /** Local time without offset. */
  @Column('text') startsAt!: string;
  @Column('text') timezone!: string;
  @Column('integer') durationMs!: number;
  @Column('text', { nullable: true }) recurrence!: string | null;
  /** Set where `startsAt` was "now". */
  @TimeColumn({ nullable: true }) startedNow!: Date | null;
  @Column('uuid', { array: true }) monitorIds!: string[];
  @Column('uuid', { array: true }) serviceGroupIds!: string[];
  @Column('text', { array: true }) tags!: string[];
  @Column('boolean') coversAll!: boolean;
  @Column('boolean') pausesChecks!: boolean;
  @Column('uuid', { array: true }) statusPageIds!: string[];
  @Column('boolean') notifySubscribers!: boolean;
  /** Occurrences that begin before it are stored; null: all are. */
  @TimeColumn({ nullable: true }) storedUntil!: Date | null;
  @TimeColumn({ nullable: true }) deletedAt!: Date | null;
}

/** One time at which a window takes place. */
@Entity('maintenance_occurrence')
@Index('maintenance_occurrence_due_idx', ['starts'], { where: "stage <> 'over'" })
@Check('maintenance_occurrence_order_check', 'starts < ends')
@Check('maintenance_occurrence_stage_check', "stage IN ('planned', 'opened', 'running', 'over')")
export class MaintenanceOccurrenceEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('maintenance_window', { name: 'maintenance_occurrence_window_fk', onDelete: 'CASCADE' })
  windowId!: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) starts!: Date;
  @TimeColumn() ends!: Date;
  @Column('text', { default: 'planned' }) stage!: string;
  /** When its end was moved. */
  @TimeColumn({ nullable: true }) changed!: Date | null;
}

/** An occurrence that does not take place, for calendars of status pages. */
@Entity('maintenance_cancellation')
@Index('maintenance_cancellation_ends_idx', ['ends'])
export class MaintenanceCancellationEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('maintenance_window', { name: 'maintenance_cancellation_window_fk', onDelete: 'CASCADE' })
  windowId!: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) starts!: Date;
  @TimeColumn() ends!: Date;
  @TimeColumn() cancelled!: Date;
}

/** From when to when a window covers a monitor. */
@Entity('maintenance_period')
@Index('maintenance_period_monitor_idx', ['monitorKey', 'ends'])
@Index('maintenance_period_window_idx', ['windowId', 'ends'])
@Index('maintenance_period_workspace_idx', ['workspaceId', 'ends'])
@Check('maintenance_period_order_check', 'starts < ends')
export class MaintenancePeriodEntity {
  @PrimaryColumn('bigint') monitorKey!: number;

  @PrimaryColumn('uuid')
  @ForeignKey('maintenance_window', { name: 'maintenance_period_window_fk', onDelete: 'CASCADE' })
  windowId!: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) starts!: Date;
  @TimeColumn() ends!: Date;
  @Column('uuid') workspaceId!: string;
  @TimeColumn() occurrenceStarts!: Date;
  @Column('boolean') pausesChecks!: boolean;
}
