import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { TimeColumn, DatedEntity } from '../../platform/db/columns.js';
import type { Role } from '../../platform/identity/caller.js';

/** As stored: a pending invitation is expired from `expiresAt` on. */
export type InvitationStatus = 'pending' | 'accepted' | 'declined' | 'revoked';

/** An invitation of an email address to a workspace. */
@Entity('invitation')
@Unique('invitation_token_key', ['tokenHash'])
@Index('invitation_pending_key', ['workspaceId', 'email'], { unique: true, where: "status = 'pending'" })
@Index('invitation_settled_idx', ['lastModified'], { where: "status <> 'pending'" })
@Index('invitation_workspace_idx', ['workspaceId', 'created', 'id'])
@Check('invitation_role_check', "role IN ('Viewer', 'Responder', 'Editor', 'Admin')")
@Check('invitation_status_check', "status IN ('pending', 'accepted', 'declined', 'revoked')")
export class InvitationEntity extends DatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'invitation_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  /** In lower case. */
  @Column('text') email!: string;
  @Column('text') role!: Exclude<Role, 'Owner'>;
  @Column('text', { default: 'pending' }) status!: InvitationStatus;
  @Column('uuid') invitedBy!: string;
  @Column('bytea') tokenHash!: Buffer;
  @TimeColumn() expiresAt!: Date;
}

/** An invitation link that was mailed within the last day, for the daily limits. */
@Entity('invitation_link')
@Index('invitation_link_created_idx', ['created'])
@Index('invitation_link_email_idx', ['email', 'created'])
@Index('invitation_link_inviter_idx', ['invitedBy', 'created'])
export class InvitationLinkEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id!: number;
  @Column('text') email!: string;
  @Column('uuid') ownerId!: string;
  @Column('uuid') invitedBy!: string;
  @TimeColumn() created!: Date;
}
