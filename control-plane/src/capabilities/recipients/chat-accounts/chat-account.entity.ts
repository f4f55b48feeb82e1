import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { TimeColumn, CreatedEntity } from '../../../platform/db/columns.js';
import type { ActionGroupType } from '../../channels/index.js';

/** `press`: the account acknowledges by the button in a message, as the member. `page`: the member is paged there. */
export type AccountUse = 'press' | 'page';

/** An account of a member at a service. Of those that press, one account is confirmed for one member. */
@Entity('chat_account')
@Unique('chat_account_once_key', ['memberId', 'use', 'type', 'accountId'])
@Index('chat_account_confirmed_key', ['workspaceId', 'type', 'accountId'], {
  unique: true,
  where: "confirmed_at IS NOT NULL AND use = 'press'",
})
@Check('chat_account_use_check', "use IN ('press', 'page')")
@Check('chat_account_secret_check', '(secret IS NULL) = (secret_until IS NULL)')
export class ChatAccountEntity extends CreatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'chat_account_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('uuid')
  @ForeignKey('workspace_member', { name: 'chat_account_member_fk', onDelete: 'CASCADE' })
  memberId!: string;

  @Column('text') use!: AccountUse;
  @Column('text') type!: ActionGroupType;
  /** As the service names it; of a contact method its address. */
  @Column('text') accountId!: string;
  @TimeColumn({ nullable: true }) confirmedAt!: Date | null;
  /** The signature of the code. */
  @Column('bytea', { nullable: true }) secret!: Buffer | null;
  @TimeColumn({ nullable: true }) secretUntil!: Date | null;
  @Column('integer', { default: 0 }) wrongCodes!: number;
}
