import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { JsonColumn, TimeColumn, DatedEntity } from '../../../platform/db/columns.js';
import type { ActionGroupType } from '../../channels/index.js';
import type { StoredRules } from '../../group-settings/index.js';

/** A channel with its destinations. Secrets are sealed. */
@Entity('action_group')
@Index('action_group_former_idx', ['formerSecretUntil'], { where: 'former_secret_until IS NOT NULL' })
@Index('action_group_workspace_idx', ['workspaceId', 'created', 'id'])
@Index('action_group_attached_idx', ['workspaceId'], { where: "attach_all OR attach_tags <> '{}'" })
@Check('action_group_former_check', '(former_secret IS NULL) = (former_secret_until IS NULL)')
export class ActionGroupEntity extends DatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'action_group_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('text') type!: ActionGroupType;
  @Column('text') name!: string;
  @Column('boolean', { default: true }) isEnabled!: boolean;
  /** Monitors with one of these tags have the group, beside those that it is attached to one by one. */
  @Column('text', { array: true, default: [] }) attachTags!: string[];
  /** All monitors of the workspace have it. */
  @Column('boolean', { default: false }) attachAll!: boolean;
  @JsonColumn() settings!: unknown;
  @JsonColumn({ default: {} }) rules!: StoredRules;
  @Column('bytea', { nullable: true }) secrets!: Buffer | null;
  @Column('bytea', { nullable: true }) formerSecret!: Buffer | null;
  @TimeColumn({ nullable: true }) formerSecretUntil!: Date | null;
}

/** An action group that is attached to a monitor itself, and not by `attachTags` or `attachAll`. */
@Entity('action_group_monitor')
@Index('action_group_monitor_monitor_idx', ['monitorKey'])
export class ActionGroupMonitorEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('action_group', { name: 'action_group_monitor_group_fk', onDelete: 'CASCADE' })
  groupId!: string;

  @PrimaryColumn('bigint')
  @ForeignKey('monitor', 'key', { name: 'action_group_monitor_monitor_fk', onDelete: 'CASCADE' })
  monitorKey!: number;

  @TimeColumn() attached!: Date;
}
