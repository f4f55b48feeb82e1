import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../platform/db/columns.js';
import type { OwnChannel } from '../workspaces/index.js';

/** A later message of a page, by a rule of the person. */
@Entity('page_reminder')
@Index('page_reminder_due_idx', ['dueAt'])
@Index('page_reminder_incident_idx', ['incidentId'])
@Index('page_reminder_team_idx', ['teamId'])
export class PageReminderEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('incident', { name: 'page_reminder_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @Column('uuid')
  @ForeignKey('team', { name: 'page_reminder_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @Column('uuid') userId!: string;
  @Column('bigint') monitorKey!: number;
  @Column('text') channel!: OwnChannel;
  /** When the page began. */
  @TimeColumn() paged!: Date;
  @TimeColumn() dueAt!: Date;
  /** The entry of the page on the timeline has this beside the people; `step` is in the purpose of its messages. */
  @Column('jsonb') about!: { teamId: string; team: string; policy: string; step: number; round?: number; who: string };
}
