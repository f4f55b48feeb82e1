import type { Place } from '@watchpost/shared/region';
import type { Visibility } from '@watchpost/shared/wire/messages';
import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { IdentityColumn, TimeColumn, DatedEntity } from '../../../platform/db/columns.js';

export type AgentStatus = 'active' | 'draining' | 'revoked';

/** An agent with its place, token and latest heartbeat. */
@Entity('agent')
@Unique('agent_key_key', ['key'])
@Unique('agent_token_key', ['tokenHash'])
@Index('agent_name_key', ['region', 'name'], { unique: true, where: "status <> 'revoked'" })
@Index('agent_workspace_idx', ['workspaceId'], { where: 'workspace_id IS NOT NULL' })
@Check('agent_status_check', "status IN ('active', 'draining', 'revoked')")
@Check('agent_visibility_check', "visibility IN ('unknown', 'seeing', 'blind')")
export class AgentEntity extends DatedEntity {
  @IdentityColumn('integer') key!: number;
  @Column('text') name!: string;
  /** The place whose checks it runs. */
  @Column('text') region!: Place;

  /** The workspace of an agent of a private location. */
  @Column('uuid', { nullable: true })
  @ForeignKey('workspace', { name: 'agent_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string | null;

  @Column('bytea') tokenHash!: Buffer;
  @TimeColumn({ nullable: true }) tokenSpent!: Date | null;
  /** SHA-256 of the public key that used the token; null if it is unused. */
  @Column('bytea', { nullable: true }) enrolledKey!: Buffer | null;
  @Column('text', { default: 'active' }) status!: AgentStatus;
  @Column('text', { nullable: true }) version!: string | null;
  /** Such as `linux-x64`, as the agent reports it. */
  @Column('text', { nullable: true }) platform!: string | null;
  /** True if it can trace paths to addresses; null where it did not report that. */
  @Column('boolean', { nullable: true }) canTrace!: boolean | null;
  @Column('text', { array: true, default: [] }) capabilities!: string[];
  @TimeColumn({ nullable: true }) lastSeen!: Date | null;
  @Column('integer', { default: 0 }) checks!: number;
  @Column('integer', { default: 0 }) spoolDepth!: number;
  @Column('integer', { default: 0 }) lagP99Us!: number;
  @Column('text', { default: 'unknown' }) visibility!: Visibility;
}
