import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../platform/db/columns.js';
import type { FoundState } from './decide-reading.js';

/** A registered domain and what its registry answers. All monitors of it, of any workspace, share the row. */
@Entity('domain')
@Index('domain_next_query_idx', ['nextQuery'])
@Check('domain_state_check', "state IN ('found', 'notOffered', 'notFound', 'unreachable')")
export class DomainEntity {
  /** In ASCII and lower case. */
  @PrimaryColumn('text') name!: string;
  /** Null before the first answer. */
  @Column('text', { nullable: true }) state!: FoundState | null;
  @TimeColumn({ nullable: true }) expires!: Date | null;
  @Column('text', { nullable: true }) registrar!: string | null;
  @Column('text', { array: true, default: [] }) statuses!: string[];
  @Column('text', { array: true, default: [] }) nameServers!: string[];
  /** The server that answered. */
  @Column('text', { nullable: true }) source!: string | null;
  @TimeColumn({ nullable: true }) checked!: Date | null;
  @TimeColumn() nextQuery!: Date;
  /** When a reading began that counts only once it is read again. */
  @TimeColumn({ nullable: true }) unconfirmedSince!: Date | null;
  /** Its server asked to be left alone until then. */
  @TimeColumn({ nullable: true }) heldUntil!: Date | null;
}
