import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { JsonColumn, TimeColumn, DatedEntity } from '../../platform/db/columns.js';
import type { Role } from '../../platform/identity/caller.js';
import type { RoleMapping } from './decide-mapped-role.js';
import type { StoredNotificationPreferences } from './notification-preferences.js';

/** A workspace with its settings. Its owner is a member too. */
@Entity('workspace')
@Index('workspace_owner_idx', ['ownerId'])
@Index('workspace_role_mapping_idx', { synchronize: false })
@Index('workspace_personal_key', ['ownerId'], { unique: true, where: 'is_personal' })
@Check('workspace_quorum_check', "incident_quorum IN ('any', 'majority', 'all')")
export class WorkspaceEntity extends DatedEntity {
  @Column('text') name!: string;
  @Column('boolean', { default: false }) isPersonal!: boolean;

  @Column('uuid')
  @ForeignKey('user_account', { name: 'workspace_owner_fk' })
  ownerId!: string;

  @TimeColumn({ nullable: true }) ownedSince!: Date | null;
  @Column('text', { default: 'UTC' }) timezone!: string;
  @Column('boolean', { default: true }) autoCloseIncidents!: boolean;
  @Column('text', { default: 'majority' }) incidentQuorum!: 'any' | 'majority' | 'all';
  @Column('uuid', { array: true, default: [] }) defaultActionGroupIds!: string[];
  /** By value of the claim that gives roles. */
  @JsonColumn({ default: {} }) roleMapping!: RoleMapping;
}

/** A user in a workspace, with a role and notification preferences. */
@Entity('workspace_member')
@Unique('workspace_member_user_key', ['workspaceId', 'userId'])
@Index('workspace_member_owner_key', ['workspaceId'], { unique: true, where: "role = 'Owner'" })
@Index('workspace_member_user_idx', ['userId'])
@Check('workspace_member_role_check', "role IN ('Viewer', 'Responder', 'Editor', 'Admin', 'Owner')")
@Check('workspace_member_status_check', "status IN ('active', 'suspended')")
@Check('workspace_member_role_source_check', "role_source IN ('hand', 'claim')")
export class WorkspaceMemberEntity {
  @PrimaryColumn('uuid') id!: string;

  @Column('uuid')
  @ForeignKey('workspace', { name: 'workspace_member_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('uuid')
  @ForeignKey('user_account', { name: 'workspace_member_user_fk', onDelete: 'CASCADE' })
  userId!: string;

  @Column('text') role!: Role;
  @Column('text', { default: 'active' }) status!: 'active' | 'suspended';
  /** `hand` where people gave the role, `claim` where the workspace's mapping of a claim did. */
  @Column('text', { default: 'hand' }) roleSource!: 'hand' | 'claim';
  @JsonColumn({ default: {} }) notificationPreferences!: StoredNotificationPreferences;
  @TimeColumn() joined!: Date;
  @TimeColumn() lastUsed!: Date;
  @TimeColumn({ nullable: true }) lastModified!: Date | null;
}
