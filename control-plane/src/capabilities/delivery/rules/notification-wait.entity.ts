import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../platform/db/columns.js';
import type { DueWait } from './decide-notice.js';

/** What a group is to be notified of later. */
@Entity('notification_wait')
@Index('notification_wait_due_idx', ['dueAt'])
@Index('notification_wait_workspace_idx', ['workspaceId', 'dueAt'])
@Check('notification_wait_reason_check', "reason IN ('first', 'held', 'repeat')")
export class NotificationWaitEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('action_group', { name: 'notification_wait_group_fk', onDelete: 'CASCADE' })
  groupId!: string;

  @PrimaryColumn('uuid') subjectId!: string;
  @PrimaryColumn('text') reason!: DueWait['reason'];

  @Column('uuid')
  @ForeignKey('workspace', { name: 'notification_wait_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('uuid', { nullable: true }) eventId!: string | null;
  @TimeColumn() dueAt!: Date;
}
