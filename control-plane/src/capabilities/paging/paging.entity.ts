import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../platform/db/columns.js';

/** The paging of a team for an incident: the next step and when it is due. */
@Entity('incident_paging')
@Index('incident_paging_due_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('incident_paging_team_idx', ['teamId'])
export class IncidentPagingEntity {
  @Column('uuid')
  workspaceId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('incident', { name: 'incident_paging_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('team', { name: 'incident_paging_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @Column('bigint')
  monitorKey!: number;

  @Column('smallint', { default: 0 })
  step!: number;

  @TimeColumn()
  began!: Date;

  @TimeColumn({ nullable: true })
  dueAt!: Date | null;

  /** Up to when time in maintenance has been counted. */
  @TimeColumn({ nullable: true })
  waitedUntil!: Date | null;
}
