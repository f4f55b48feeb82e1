import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A note as it is stored; newest first within an incident. */
@Entity('incident_note')
@Index('incident_note_incident_idx', { synchronize: false })
export class IncidentNoteEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'incident_note_pkey' })
  id!: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId!: string;

  @Column('uuid', { name: 'incident_id' })
  incidentId!: string;

  @Column('text')
  note!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  @Column({ type: 'timestamptz', name: 'last_modified', precision: 3 })
  lastModified!: Date;

  @Column('uuid', { name: 'modified_by' })
  modifiedBy!: string;
}
