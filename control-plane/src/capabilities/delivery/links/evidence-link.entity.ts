import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { CreatedEntity } from '../../../platform/db/columns.js';

/** A link to the evidence of an incident, one per channel. */
@Entity('evidence_link')
@Unique('evidence_link_once_key', ['incidentId', 'channel'])
@Index('evidence_link_workspace_idx', ['workspaceId'])
export class EvidenceLinkEntity extends CreatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'evidence_link_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('uuid')
  @ForeignKey('incident', { name: 'evidence_link_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @Column('text') channel!: string;
}
