import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { TimeColumn, CreatedEntity } from '../../platform/db/columns.js';

/** Something that happened outside: a deploy, a change of a provider. */
@Entity('mark')
@Index('mark_workspace_idx', ['workspaceId', 'at', 'id'])
@Index('mark_at_idx', ['at'])
export class MarkEntity extends CreatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'mark_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @TimeColumn() at!: Date;
  @Column('text') text!: string;
  @Column('text', { array: true }) tags!: string[];
  @Column('text', { nullable: true }) url!: string | null;
}
