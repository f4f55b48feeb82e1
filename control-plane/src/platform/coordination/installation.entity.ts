import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** The identity of this installation: one row. */
@Entity('installation')
@Unique('installation_only_key', ['isOnly'])
@Check('installation_only_check', 'is_only')
export class InstallationEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('boolean', { default: true }) isOnly!: boolean;
  @Column('bytea', { nullable: true }) keyMark!: Buffer | null;
}
