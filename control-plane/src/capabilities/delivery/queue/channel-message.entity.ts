import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { JsonColumn, TimeColumn } from '../../../platform/db/columns.js';
import type { MessageHandle } from '../../../platform/mail/send-outcome.js';

/** The one message about an incident in the chat of a group, which later events edit. */
@Entity('channel_message')
@Index('channel_message_created_idx', ['created'])
export class ChannelMessageEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('incident', { name: 'channel_message_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @PrimaryColumn('uuid') groupId!: string;
  @Column('uuid') workspaceId!: string;
  @JsonColumn() handle!: MessageHandle;
  @TimeColumn() created!: Date;
}
