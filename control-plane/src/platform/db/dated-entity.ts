import { PrimaryColumn } from 'typeorm';
import { TimeColumn } from './columns.js';

/** The columns that most tables of configuration have. */
export abstract class CreatedEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @TimeColumn()
  created!: Date;
}

/** A row that people change. */
export abstract class DatedEntity extends CreatedEntity {
  @TimeColumn()
  lastModified!: Date;
}
