import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { IncidentStatus, IncidentType, Severity } from './incident-commands.js';

const asNumber = { to: (value: number) => value, from: (value: string | number) => Number(value) };

@Entity('incident')
@Index('incident_monitor_idx', { synchronize: false })
@Index('incident_open_key', { synchronize: false })
@Index('incident_workspace_idx', { synchronize: false })
export class IncidentEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'incident_pkey' })
  id!: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId!: string;

  @Column('bigint', { name: 'monitor_key', transformer: asNumber })
  monitorKey!: number;

  @Column('uuid', { name: 'monitor_id' })
  monitorId!: string;

  @Column('text', { name: 'monitor_name' })
  monitorName!: string;

  @Column('text', { name: 'incident_type' })
  incidentType!: IncidentType;

  @Column('text', { default: 'Ongoing' })
  status!: IncidentStatus;

  @Column('boolean', { name: 'is_closed', default: false })
  isClosed!: boolean;

  @Column('text')
  severity!: Severity;

  @Column('text', { array: true, default: [] })
  regions!: string[];

  @Column('boolean', { default: false })
  acknowledged!: boolean;

  @Column('timestamptz', { name: 'acknowledged_at', precision: 3, nullable: true })
  acknowledgedAt!: Date | null;

  @Column('uuid', { name: 'acknowledged_by', nullable: true })
  acknowledgedBy!: string | null;

  @Column('uuid', { name: 'closed_by', nullable: true })
  closedBy!: string | null;

  @Column('timestamptz', { precision: 3 })
  started!: Date;

  @Column('timestamptz', { precision: 3, nullable: true })
  ended!: Date | null;

  @Column('text', { name: 'failure_reason' })
  failureReason!: string;

  @Column('jsonb', { default: {} })
  context!: Record<string, unknown>;

  @Column('timestamptz', { precision: 3 })
  created!: Date;

  @Column('timestamptz', { name: 'last_modified', precision: 3 })
  lastModified!: Date;
}
