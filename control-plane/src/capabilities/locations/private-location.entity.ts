import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { JsonColumn, TimeColumn, DatedEntity } from '../../platform/db/columns.js';

/** A place inside a workspace's own network. A deleted one remains: results name it, and its code is never given again. */
@Entity('private_location')
@Unique('private_location_code_key', ['workspaceId', 'code'])
@Index('private_location_slug_key', ['workspaceId', 'slug'], { unique: true, where: 'deleted_at IS NULL' })
@Check('private_location_code_check', 'code >= 100')
@Check('private_location_reachability_check', "reachability IN ('advisory', 'voting')")
export class PrivateLocationEntity extends DatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'private_location_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  /** Names it in results, series and rollups, within its workspace. */
  @Column('smallint') code!: number;
  @Column('text') name!: string;
  @Column('text') slug!: string;
  @Column('text', { array: true }) allowCidrs!: string[];
  @Column('text', { array: true }) denyCidrs!: string[];
  @JsonColumn() labels!: Record<string, string>;
  /** `advisory`: its failures never decide whether a monitor is down that regions check too; `voting`: it votes as a region does. */
  @Column('text') reachability!: 'advisory' | 'voting';
  @Column('uuid', { array: true }) notifyActionGroupIds!: string[];
  /** Since when none of its agents sees anything, as its action groups were notified; null while one does. */
  @TimeColumn({ nullable: true }) silentSince!: Date | null;
  @TimeColumn({ nullable: true }) deletedAt!: Date | null;
}
