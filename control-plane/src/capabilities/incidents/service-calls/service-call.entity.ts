import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../platform/db/columns.js';

/** A genuine call of the service of a group, with its answer: a replay gets it again, and changes nothing. */
@Entity('service_call')
@Index('service_call_at_idx', ['at'])
export class ServiceCallEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('action_group', { name: 'service_call_group_fk', onDelete: 'CASCADE' })
  groupId!: string;

  /** The SHA-256 of the body. Bodies of services name the press or the event. */
  @PrimaryColumn('bytea') digest!: Buffer;
  /** null until the call is answered. */
  @Column('jsonb', { nullable: true }) answer!: object | null;
  @TimeColumn() at!: Date;
}
