import type { IncidentType, Severity } from '@watchpost/shared/incident-types';
import type { Region } from '@watchpost/shared/region';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn, DatedEntity } from '../../platform/db/columns.js';
import type { IncidentStatus } from './incident-commands.js';

/** An incident of a monitor. It outlives the monitor. */
@Entity('incident')
@Index('incident_closed_idx', ['workspaceId', 'lastModified'], { where: 'is_closed' })
@Index('incident_monitor_idx', ['monitorKey', 'started', 'id'])
@Index('incident_open_key', ['workspaceId', 'monitorKey', 'incidentType'], { unique: true, where: 'NOT is_closed' })
@Index('incident_workspace_idx', ['workspaceId', 'started', 'id'])
@Check('incident_severity_check', "severity IN ('down', 'partial', 'warning')")
@Check('incident_status_check', "status IN ('Ongoing', 'Investigating', 'Resolved')")
@Check('incident_worst_severity_check', "worst_severity IN ('down', 'partial', 'warning')")
@Check(
  'incident_type_check',
  "incident_type IN ('Availability', 'Assertion', 'SslExpiry', 'Latency', 'Dns', 'Domain', 'Heartbeat')",
)
export class IncidentEntity extends DatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'incident_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('bigint') monitorKey!: number;
  @Column('uuid') monitorId!: string;
  @Column('text') monitorName!: string;
  @Column('text') incidentType!: IncidentType;
  @Column('text', { default: 'Ongoing' }) status!: IncidentStatus;
  @Column('boolean', { default: false }) isClosed!: boolean;
  @Column('text') severity!: Severity;
  @Column('text', { array: true, default: [] }) regions!: Region[];
  @Column('boolean', { default: false }) acknowledged!: boolean;
  @TimeColumn({ nullable: true }) acknowledgedAt!: Date | null;
  @Column('uuid', { nullable: true }) acknowledgedBy!: string | null;
  @Column('uuid', { nullable: true }) closedBy!: string | null;
  @TimeColumn() started!: Date;
  @TimeColumn({ nullable: true }) ended!: Date | null;
  @Column('text') failureReason!: string;
  @Column('jsonb', { default: {} }) context!: Record<string, unknown>;
  /** null where it was never worse than `severity` is. */
  @Column('text', { nullable: true }) worstSeverity!: Severity | null;
}

/** A monitor whose failure the incident of a monitor that it depends on explains. It outlives the monitor. */
@Entity('incident_dependent')
@Index('incident_dependent_failing_idx', ['monitorKey'], { where: 'ended IS NULL' })
export class IncidentDependentEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('incident', { name: 'incident_dependent_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @PrimaryColumn('bigint') monitorKey!: number;
  @Column('uuid') workspaceId!: string;
  @Column('uuid') monitorId!: string;
  @Column('text') monitorName!: string;
  @Column('text') incidentType!: IncidentType;
  @Column('text') severity!: Severity;
  @Column('text', { array: true }) regions!: Region[];
  @Column('text') failureReason!: string;
  @Column('jsonb') context!: Record<string, unknown>;
  @TimeColumn() failed!: Date;
  /** null while it fails. */
  @TimeColumn({ nullable: true }) ended!: Date | null;
  /** The incident that its failure became, because it outlasted this one. */
  @Column('uuid', { nullable: true }) ownIncidentId!: string | null;
}

/** A note that a person wrote about an incident. */
@Entity('incident_note')
@Index('incident_note_incident_idx', ['incidentId', 'createdAt', 'id'])
export class IncidentNoteEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('incident', { name: 'incident_note_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @Column('text') note!: string;
  @TimeColumn() createdAt!: Date;
  @Column('uuid') createdBy!: string;
  @TimeColumn() lastModified!: Date;
  @Column('uuid') modifiedBy!: string;
}
