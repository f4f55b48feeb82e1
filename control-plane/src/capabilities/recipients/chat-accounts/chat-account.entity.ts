import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { TimeColumn } from '../../../platform/db/columns.js';
import { CreatedEntity } from '../../../platform/db/dated-entity.js';
import type { ActionGroupType } from '../../channels/index.js';

/** An account of a member in a chat. Confirmed, it may acknowledge by a press; one account is confirmed for one member. */
@Entity('chat_account')
@Unique('chat_account_once_key', ['memberId', 'type', 'accountId'])
@Index('chat_account_confirmed_key', ['workspaceId', 'type', 'accountId'], {
  unique: true,
  where: 'confirmed_at IS NOT NULL',
})
@Check('chat_account_secret_check', '(secret IS NULL) = (secret_until IS NULL)')
export class ChatAccountEntity extends CreatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'chat_account_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('uuid')
  @ForeignKey('workspace_member', { name: 'chat_account_member_fk', onDelete: 'CASCADE' })
  memberId!: string;

  @Column('text')
  type!: ActionGroupType;

  /** As the chat names it. */
  @Column('text')
  accountId!: string;

  @TimeColumn({ nullable: true })
  confirmedAt!: Date | null;

  /** The signature of the code. */
  @Column('bytea', { nullable: true })
  secret!: Buffer | null;

  @TimeColumn({ nullable: true })
  secretUntil!: Date | null;

  @Column('integer', { default: 0 })
  wrongCodes!: number;
}
