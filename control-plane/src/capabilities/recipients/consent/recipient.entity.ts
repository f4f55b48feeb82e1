import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { TimeColumn, CreatedEntity } from '../../../platform/db/columns.js';
import type { RecipientChannel } from '../../delivery/index.js';

/** An address or number that an owner wants to send alerts to, and what its user answered. */
@Entity('alert_recipient')
@Unique('alert_recipient_address_key', ['ownerId', 'channel', 'addressKey'])
@Index('alert_recipient_ask_idx', ['askAt'], { where: 'ask_at IS NOT NULL' })
@Index('alert_recipient_asked_idx', ['channel', 'addressKey', 'askedSince'])
@Index('alert_recipient_secret_idx', ['secret'], { where: 'secret IS NOT NULL' })
@Index('alert_recipient_unanswered_idx', ['created'], { where: 'confirmed_at IS NULL AND refused_at IS NULL' })
@Index('alert_recipient_workspace_idx', ['workspaceId'])
@Check('alert_recipient_channel_check', "channel IN ('email', 'sms')")
@Check('alert_recipient_secret_check', '(secret IS NULL) = (secret_until IS NULL)')
export class AlertRecipientEntity extends CreatedEntity {
  @Column('uuid')
  @ForeignKey('user_account', { name: 'alert_recipient_owner_fk', onDelete: 'CASCADE' })
  ownerId!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('workspace', { name: 'alert_recipient_workspace_fk', onDelete: 'SET NULL' })
  workspaceId!: string | null;

  @Column('text') channel!: RecipientChannel;
  @Column('text') address!: string;
  @Column('text') addressKey!: string;
  @TimeColumn({ nullable: true }) confirmedAt!: Date | null;
  @TimeColumn({ nullable: true }) refusedAt!: Date | null;
  @TimeColumn({ nullable: true }) askAt!: Date | null;
  @TimeColumn({ nullable: true }) askedSince!: Date | null;
  /** The number of requests in the day that began at `askedSince`. */
  @Column('integer', { default: 0 }) asked!: number;
  @Column('integer', { default: 0 }) askedEver!: number;
  @Column('bytea', { nullable: true }) secret!: Buffer | null;
  @TimeColumn({ nullable: true }) secretUntil!: Date | null;
  @Column('integer', { default: 0 }) wrongCodes!: number;
}
