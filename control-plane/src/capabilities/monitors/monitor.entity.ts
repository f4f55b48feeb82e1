import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { IdentityColumn, TimeColumn, DatedEntity } from '../../platform/db/columns.js';

/** What a workspace wants watched. A deleted monitor remains as a tombstone for a while. */
@Entity('monitor')
@Unique('monitor_key_key', ['key'])
@Index('monitor_buried_with_idx', ['buriedWith'], { where: 'buried_with IS NOT NULL' })
@Index('monitor_count_idx', { synchronize: false })
@Index('monitor_domain_idx', { synchronize: false })
@Index('monitor_held_idx', ['key'], { where: 'checks_held' })
@Index('monitor_reporting_idx', ['workspaceId'], {
  where: "deleted_at IS NULL AND reporting @? '$.*?(@ == true)'::jsonpath",
})
@Index('monitor_shard_idx', { synchronize: false })
@Index('monitor_revision_idx', ['revision', 'key'])
@Index('monitor_service_group_idx', ['serviceGroupId'], { where: 'service_group_id IS NOT NULL' })
@Index('monitor_tag_idx', { synchronize: false })
@Index('monitor_team_idx', ['teamId'], { where: 'team_id IS NOT NULL' })
@Index('monitor_tombstone_idx', ['deletedAt'], { where: 'deleted_at IS NOT NULL' })
@Index('monitor_workspace_idx', ['workspaceId', 'created', 'id'], { where: 'deleted_at IS NULL' })
@Check('monitor_status_check', "monitoring_status IN ('enabled', 'disabled', 'paused')")
export class MonitorEntity extends DatedEntity {
  @IdentityColumn('bigint') key!: number;
  @Column('uuid') workspaceId!: string;
  @Column('uuid', { nullable: true }) ownerId!: string | null;
  @Column('text') name!: string;
  /** Null for heartbeats. */
  @Column('text', { nullable: true }) url!: string | null;
  @Column('text', { default: '' }) site!: string;
  @Column('text', { array: true }) monitorTypes!: string[];
  @Column('text', { default: 'enabled' }) monitoringStatus!: string;
  @Column('integer') checkIntervalMs!: number;
  @Column('integer') checkTimeoutMs!: number;
  @Column('smallint') checksBeforeAlert!: number;
  @Column('smallint') checksBeforeRecovery!: number;
  @Column('text', { array: true, default: [] }) enabledRegions!: string[];
  @Column('boolean', { default: true }) homeRegion!: boolean;
  /** Their codes. */
  @Column('smallint', { array: true, default: [] }) privateLocations!: number[];

  @Column('uuid', { nullable: true })
  @ForeignKey('service_group', { name: 'monitor_service_group_fk', onDelete: 'SET NULL' })
  serviceGroupId!: string | null;

  @Column('jsonb') reporting!: unknown;
  /** The settings of each type, by its field. What is not here has its default. */
  @Column('jsonb', { default: {} }) settings!: unknown;
  @Column('bytea', { name: 'secrets', nullable: true }) sealedSecrets!: Buffer | null;
  @TimeColumn() checksChanged!: Date;
  @Column('bigint') revision!: number;
  @TimeColumn({ nullable: true }) deletedAt!: Date | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('service_group', { name: 'monitor_buried_with_fk', onDelete: 'SET NULL' })
  buriedWith!: string | null;

  @Column('text', { array: true, default: [] }) tags!: string[];
  @Column('boolean', { default: false }) checksHeld!: boolean;
  @Column('jsonb', { nullable: true }) heartbeat!: unknown;
  /** Those that are deleted meanwhile are still here: they may be restored. */
  @Column('uuid', { array: true, default: [] }) dependsOn!: string[];

  @Column('uuid', { nullable: true })
  @ForeignKey('team', { name: 'monitor_team_fk', onDelete: 'SET NULL' })
  teamId!: string | null;
}

/** The token of a heartbeat's ping URL. */
@Entity('ping_token')
@Index('ping_token_hash_key', ['hash'], { unique: true })
export class PingTokenEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('monitor', { name: 'ping_token_monitor_fk', onDelete: 'CASCADE' })
  monitorId!: string;

  /** SHA-256, for finding it. */
  @Column('bytea') hash!: Buffer;
  /** For showing the URL. */
  @Column('bytea') sealed!: Buffer;
}

/** The token of the push address that a heartbeat had in another product. */
@Entity('imported_ping_token')
@Index('imported_ping_token_hash_key', ['hash'], { unique: true })
export class ImportedPingTokenEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('monitor', { name: 'imported_ping_token_monitor_fk', onDelete: 'CASCADE' })
  monitorId!: string;

  /** SHA-256, for finding it. The token itself is not kept: nobody is shown it. */
  @Column('bytea') hash!: Buffer;
}

/** The intervals and phases that a monitor had before it was changed. */
@Entity('former_schedule')
export class FormerScheduleEntity {
  @PrimaryColumn('bigint')
  @ForeignKey('monitor', 'key', { name: 'former_schedule_monitor_key_fkey', onDelete: 'CASCADE' })
  monitorKey!: number;

  @TimeColumn() knownSince!: Date;
  @Column('timestamptz', { array: true }) changes!: Date[];
  @Column('integer', { array: true }) intervalsMs!: number[];
}

/** How many monitors of an owner a region checks for reachability. Triggers keep it. */
@Entity('region_owner')
@Index('region_owner_region_idx', ['region'])
export class RegionOwnerEntity {
  @PrimaryColumn('uuid') ownerId!: string;
  @PrimaryColumn('text') region!: string;
  @Column('integer') monitors!: number;
  /** The different sites of those that are checked at least every 10 minutes. */
  @Column('integer', { default: 0 }) sites!: number;
}

/** How many monitors of a site of an owner a region checks for reachability at least every 10 minutes. Triggers keep it. */
@Entity('region_site')
export class RegionSiteEntity {
  @PrimaryColumn('uuid') ownerId!: string;
  @PrimaryColumn('text') region!: string;
  @PrimaryColumn('text') site!: string;
  @Column('integer') monitors!: number;
}
