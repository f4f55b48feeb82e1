import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../platform/db/columns.js';

/** The membership of a region and its epoch. */
@Entity('fleet_region')
export class FleetRegionEntity {
  @PrimaryColumn('text') region!: string;
  @Column('bigint', { default: 1 }) epoch!: number;
  @Column('uuid', { array: true, default: [] }) members!: string[];
  @Column('jsonb', { default: [] }) former!: unknown;
}

/** A control-plane process that serves agents. */
@Entity('fleet_process')
export class FleetProcessEntity {
  @PrimaryColumn('uuid') id!: string;
  @TimeColumn() liveSince!: Date;
  @TimeColumn() seen!: Date;
  @Column('boolean', { default: false }) stopped!: boolean;
}

/** The claim of a process on a connected agent. */
@Entity('fleet_lease')
@Index('fleet_lease_region_idx', ['region'])
export class FleetLeaseEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('agent', { name: 'fleet_lease_agent_fk', onDelete: 'CASCADE' })
  agentId!: string;

  @Column('text') region!: string;
  @Column('uuid') processId!: string;
  @Column('uuid') sessionId!: string;
  @Column('boolean') connected!: boolean;
  @TimeColumn({ nullable: true }) leftAt!: Date | null;
  @Column('text', { array: true }) capabilities!: string[];
  @Column('bigint', { nullable: true }) takenOverEpoch!: number | null;
  /** When the stream began. */
  @TimeColumn({ nullable: true }) takenAt!: Date | null;
}
