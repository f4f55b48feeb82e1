import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { TimeColumn, CreatedEntity } from '../../platform/db/columns.js';

/** A secret with which a program acts for a member in one workspace. Revoking deletes the row, as the end of the membership does. */
@Entity('api_key')
@Unique('api_key_prefix_key', ['prefix'])
@Index('api_key_expires_idx', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
@Index('api_key_member_idx', ['memberId', 'created', 'id'])
@Index('api_key_workspace_idx', ['workspaceId', 'created', 'id'])
export class ApiKeyEntity extends CreatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'api_key_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('uuid')
  @ForeignKey('workspace_member', { name: 'api_key_member_fk', onDelete: 'CASCADE' })
  memberId!: string;

  @Column('text') name!: string;
  @Column('text') prefix!: string;
  @Column('bytea') hash!: Buffer;
  @Column('text', { array: true }) scopes!: string[];
  @TimeColumn({ nullable: true }) expiresAt!: Date | null;
  @TimeColumn({ nullable: true }) lastUsedAt!: Date | null;
}
