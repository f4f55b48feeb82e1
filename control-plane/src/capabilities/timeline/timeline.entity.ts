import { Column, Entity, ForeignKey, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { TimeColumn } from '../../platform/db/columns.js';

/** An event on the timeline of an incident. */
@Entity('incident_event')
export class TimelineEventEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('incident', { name: 'incident_event_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) seq!: number;
  @PrimaryColumn('uuid') workspaceId!: string;
  @TimeColumn() at!: Date;
  @Column('text') type!: string;
  @Column('uuid', { nullable: true }) actor!: string | null;
  @Column('jsonb', { default: {} }) detail!: unknown;
}
