import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** An object that a configuration document manages: by which project and key it is known there. */
@Entity('managed_object')
@Unique('managed_object_object_key', ['workspaceId', 'kind', 'objectId'])
@ForeignKey('workspace', ['workspaceId'], ['id'], { name: 'managed_object_workspace_fk', onDelete: 'CASCADE' })
export class ManagedObjectEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'managed_object_pkey' }) workspaceId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'managed_object_pkey' }) project!: string;
  /** The section of the document: `monitors`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'managed_object_pkey' }) kind!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'managed_object_pkey' }) key!: string;
  @Column('uuid') objectId!: string;
}
