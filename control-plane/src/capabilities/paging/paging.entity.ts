import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../platform/db/columns.js';

/** The paging of a team for an incident: the next step and when it is due. */
@Entity('incident_paging')
@Index('incident_paging_due_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('incident_paging_expiry_idx', ['ackExpiresAt'], { where: 'ack_expires_at IS NOT NULL' })
@Index('incident_paging_team_idx', ['teamId'])
export class IncidentPagingEntity {
  @Column('uuid') workspaceId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('incident', { name: 'incident_paging_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('team', { name: 'incident_paging_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @Column('bigint') monitorKey!: number;
  @Column('smallint', { default: 0 }) step!: number;
  @Column('smallint', { default: 0 }) round!: number;
  /** The policy of the step before; the id of the team for the built-in one. */
  @Column('uuid', { nullable: true }) policyId!: string | null;
  /** Who has to acknowledge, `awaitedCount` of them; null: anybody. */
  @Column('uuid', { array: true, nullable: true }) awaited!: string[] | null;
  @Column('smallint', { default: 0 }) awaitedCount!: number;
  @TimeColumn({ nullable: true }) ackExpiresAt!: Date | null;
  @TimeColumn() began!: Date;
  @TimeColumn({ nullable: true }) dueAt!: Date | null;
  /** Up to when time in maintenance has been counted. */
  @TimeColumn({ nullable: true }) waitedUntil!: Date | null;
}
