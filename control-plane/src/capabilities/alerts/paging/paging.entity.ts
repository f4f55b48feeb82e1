import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../platform/db/columns.js';

/** The paging of a team for an incident: the next step and when it is due. */
@Entity('incident_page')
@Index('incident_page_due_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('incident_page_team_idx', ['teamId'])
export class IncidentPageEntity {
  @Column('uuid')
  workspaceId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('incident', { name: 'incident_page_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('team', { name: 'incident_page_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @Column('bigint')
  monitorKey!: number;

  @Column('smallint', { default: 0 })
  step!: number;

  @TimeColumn()
  began!: Date;

  @TimeColumn({ nullable: true })
  dueAt!: Date | null;
}

/** A single-use link by which the paged person acknowledges. */
@Entity('page_link')
@Index('page_link_expires_idx', ['expires'])
@Index('page_link_incident_idx', ['incidentId'])
@Index('page_link_user_idx', ['userId'])
export class PageLinkEntity {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('uuid')
  workspaceId!: string;

  @Column('uuid')
  @ForeignKey('incident', { name: 'page_link_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @Column('uuid')
  @ForeignKey('user_account', { name: 'page_link_user_fk', onDelete: 'CASCADE' })
  userId!: string;

  @TimeColumn()
  expires!: Date;
}
