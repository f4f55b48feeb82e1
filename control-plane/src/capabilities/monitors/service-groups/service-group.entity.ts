import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { TimeColumn, DatedEntity } from '../../../platform/db/columns.js';

/** Monitors of one service, at most one per type. It can be restored until it is purged. */
@Entity('service_group')
@Index('service_group_purge_idx', ['purgeAt'], { where: 'purge_at IS NOT NULL' })
@Index('service_group_workspace_idx', ['workspaceId', 'created', 'id'])
@Check('service_group_purge_check', '(deleted_at IS NULL) = (purge_at IS NULL)')
export class ServiceGroupEntity extends DatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'service_group_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('text') name!: string;
  @Column('text', { nullable: true }) hostname!: string | null;
  @TimeColumn({ nullable: true }) deletedAt!: Date | null;
  @TimeColumn({ nullable: true }) purgeAt!: Date | null;
}
