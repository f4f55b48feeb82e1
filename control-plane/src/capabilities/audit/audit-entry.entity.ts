import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../platform/db/columns.js';
import type { AuditAction, AuditActorType } from './audit-actions.js';
import type { AuditChanges } from './decide-changes.js';

/** A change of the configuration: who, what, when and through which interface. Append-only. */
@Entity('audit_entry')
@Index('audit_entry_action_idx', ['workspaceId', 'action', 'at', 'id'])
@Index('audit_entry_actor_idx', ['workspaceId', 'actorId', 'at', 'id'])
@Index('audit_entry_at_idx', ['at'])
@Index('audit_entry_deleted_workspace_idx', ['at'], { where: "action = 'workspace.deleted'" })
@Index('audit_entry_target_idx', ['workspaceId', 'targetId', 'at', 'id'])
@Index('audit_entry_workspace_idx', ['workspaceId', 'at', 'id'])
export class AuditEntryEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @TimeColumn() at!: Date;
  @Column('text') action!: AuditAction;
  @Column('text') actorType!: AuditActorType;
  @Column('uuid', { nullable: true }) actorId!: string | null;
  @Column('text', { nullable: true }) actorName!: string | null;
  @Column('text', { nullable: true }) via!: string | null;
  /** The door `mcp` alone has it. */
  @Column('jsonb', { nullable: true }) assistant!: { client: string | null; tool: string } | null;
  @Column('uuid') targetId!: string;
  @Column('text', { nullable: true }) targetName!: string | null;
  @Column('uuid', { nullable: true }) targetUserId!: string | null;
  @Column('jsonb') changes!: AuditChanges;
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('text', { nullable: true }) remoteAddress!: string | null;
}

/** A name that a person had from a time on, so that entries show the name of their time. */
@Entity('user_name')
export class UserNameEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('user_account', { name: 'user_name_user_fk', onDelete: 'CASCADE' })
  userId!: string;

  @PrimaryColumn('timestamptz', { precision: 3 }) since!: Date;
  @Column('text', { nullable: true }) name!: string | null;
}
