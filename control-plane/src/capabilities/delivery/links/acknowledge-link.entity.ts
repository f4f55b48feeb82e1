import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../platform/db/columns.js';

/** A single-use link by which the paged person acknowledges one incident, or all of a joint message. */
@Entity('acknowledge_link')
@Index('acknowledge_link_expires_idx', ['expires'])
@Index('acknowledge_link_incident_idx', ['incidentId'])
@Index('acknowledge_link_user_idx', ['userId'])
export class AcknowledgeLinkEntity {
  @PrimaryColumn('bytea') hash!: Buffer;
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('incident', { name: 'acknowledge_link_incident_fk', onDelete: 'CASCADE' })
  incidentId!: string;

  @Column('uuid')
  @ForeignKey('user_account', { name: 'acknowledge_link_user_fk', onDelete: 'CASCADE' })
  userId!: string;

  @TimeColumn() expires!: Date;
  /** All incidents of a joint message, `incidentId` included; null: the link is for that one alone. */
  @Column('uuid', { array: true, nullable: true }) incidentIds!: string[] | null;
}
