import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { JsonColumn, TimeColumn, CreatedEntity, DatedEntity } from '../../platform/db/columns.js';
import type { PostStatus } from '@watchpost/shared/design/states';
import type { PostKind } from './decide-post-faults.js';
import type { Banner, OverrideStatus, Theme } from './status-page-schemas.js';

/** A public status page of a workspace. */
@Entity('status_page')
@Index('status_page_slug_key', ['slug'], { unique: true })
@Index('status_page_workspace_idx', ['workspaceId', 'created', 'id'])
@Check('status_page_theme_check', "theme IN ('light', 'dark', 'auto')")
export class StatusPageEntity extends DatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'status_page_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('text') name!: string;
  @Column('text') slug!: string;
  @Column('text') description!: string;
  @Column('boolean') isPublished!: boolean;
  @Column('boolean') showIncidentHistory!: boolean;
  @Column('boolean', { default: false }) notifyIncidents!: boolean;
  @Column('text') theme!: Theme;
  @JsonColumn({ nullable: true }) banner!: Banner | null;
  @Column('text', { array: true }) groupNames!: string[];
}

/** A row of a status page: one monitor or one service group. */
@Entity('status_page_system')
@Index('status_page_system_monitor_idx', ['monitorId'], { where: 'monitor_id IS NOT NULL' })
@Index('status_page_system_page_idx', ['pageId', 'groupIndex', 'place'])
@Index('status_page_system_service_group_idx', ['serviceGroupId'], { where: 'service_group_id IS NOT NULL' })
@Check(
  'status_page_system_override_check',
  "override_status IN ('operational', 'degraded', 'partialOutage', 'majorOutage', 'maintenance')",
)
@Check('status_page_system_target_check', 'num_nonnulls(monitor_id, service_group_id) = 1')
export class StatusPageSystemEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('status_page', { name: 'status_page_system_page_fk', onDelete: 'CASCADE' })
  pageId!: string;

  @Column('smallint') groupIndex!: number;
  @Column('smallint') place!: number;
  @Column('text') name!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('monitor', { name: 'status_page_system_monitor_fk', onDelete: 'CASCADE' })
  monitorId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('service_group', { name: 'status_page_system_service_group_fk', onDelete: 'CASCADE' })
  serviceGroupId!: string | null;

  @Column('text', { nullable: true }) overrideStatus!: OverrideStatus | null;
  @Column('text', { nullable: true }) overrideMessage!: string | null;
}

/** A notice written by people on a status page. */
@Entity('status_page_post')
@Index('status_page_post_page_idx', ['pageId', 'created', 'id'])
@Check('status_page_post_kind_check', "kind IN ('incident', 'update', 'maintenance')")
@Check(
  'status_page_post_status_check',
  "status IN ('investigating', 'identified', 'monitoring', 'resolved', 'scheduled')",
)
export class StatusPagePostEntity extends DatedEntity {
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('status_page', { name: 'status_page_post_page_fk', onDelete: 'CASCADE' })
  pageId!: string;

  @Column('text') title!: string;
  @Column('text') body!: string;
  @Column('text') kind!: PostKind;
  @Column('text') status!: PostStatus;
  @Column('uuid', { array: true }) systemIds!: string[];
  @TimeColumn({ nullable: true }) scheduledStart!: Date | null;
  @TimeColumn({ nullable: true }) scheduledEnd!: Date | null;
  @Column('uuid') createdBy!: string;
}

/** What was added to a post later. */
@Entity('status_page_post_update')
@Index('status_page_post_update_post_idx', ['postId', 'created', 'id'])
export class StatusPagePostUpdateEntity extends CreatedEntity {
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('status_page_post', { name: 'status_page_post_update_post_fk', onDelete: 'CASCADE' })
  postId!: string;

  @Column('text') status!: PostStatus;
  @Column('text', { nullable: true }) body!: string | null;
  @Column('uuid') createdBy!: string;
}
