import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { TimeColumn, CreatedEntity } from '../../../platform/db/columns.js';

/** An email address that is notified of what a status page shows, once it has confirmed. */
@Entity('status_page_subscriber')
@Unique('status_page_subscriber_address_key', ['pageId', 'emailKey'])
@Index('status_page_subscriber_confirm_key', ['confirmHash'], { unique: true, where: 'confirm_hash IS NOT NULL' })
@Index('status_page_subscriber_email_idx', ['emailKey'])
@Index('status_page_subscriber_pending_idx', ['confirmUntil'], { where: 'confirmed_at IS NULL' })
@Check('status_page_subscriber_confirm_check', '(confirm_hash IS NULL) = (confirm_until IS NULL)')
export class StatusPageSubscriberEntity extends CreatedEntity {
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('status_page', { name: 'status_page_subscriber_page_fk', onDelete: 'CASCADE' })
  pageId!: string;

  @Column('text') email!: string;
  @Column('text') emailKey!: string;
  @TimeColumn({ nullable: true }) confirmedAt!: Date | null;
  @Column('bytea', { nullable: true }) confirmHash!: Buffer | null;
  @TimeColumn({ nullable: true }) confirmUntil!: Date | null;
  @TimeColumn() askedSince!: Date;
  @Column('integer', { default: 0 }) asked!: number;
}

/** A notice that is fanned out to the subscribers of a page. */
@Entity('status_page_notice')
@Index('status_page_notice_open_idx', ['created', 'id'], { where: 'NOT done' })
export class StatusPageNoticeEntity extends CreatedEntity {
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('status_page', { name: 'status_page_notice_page_fk', onDelete: 'CASCADE' })
  pageId!: string;

  @Column('text') subject!: string;
  @Column('text') body!: string;
  @Column('uuid', { nullable: true }) postId!: string | null;
  @Column('uuid', { nullable: true }) sentThrough!: string | null;
  @Column('boolean', { default: false }) done!: boolean;
}

/** Maintenance of which the subscribers of a page were notified. */
@Entity('status_page_notified_maintenance')
@Index('status_page_notified_maintenance_ends_idx', ['ends'])
@Index('status_page_notified_maintenance_open_idx', ['pageId'], { where: 'NOT is_over' })
@Index('status_page_notified_maintenance_window_idx', ['windowId'])
export class NotifiedMaintenanceEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('status_page', { name: 'status_page_notified_maintenance_page_fk', onDelete: 'CASCADE' })
  pageId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('maintenance_window', { name: 'status_page_notified_maintenance_window_fk', onDelete: 'CASCADE' })
  windowId!: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) starts!: Date;
  /** As the subscribers know it. */
  @TimeColumn() ends!: Date;
  @Column('text') name!: string;
  @Column('boolean', { default: false }) isOver!: boolean;
}

/** An outage of which the subscribers of a page were notified. */
@Entity('status_page_notified_outage')
@Index('status_page_notified_outage_incident_idx', ['incidentId'])
@Index('status_page_notified_outage_open_idx', ['pageId'], { where: 'NOT end_notified' })
export class NotifiedOutageEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('status_page', { name: 'status_page_notified_outage_page_fk', onDelete: 'CASCADE' })
  pageId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('incident', { name: 'status_page_notified_outage_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @TimeColumn() notifiedAt!: Date;
  @Column('boolean', { default: false }) endNotified!: boolean;
}
