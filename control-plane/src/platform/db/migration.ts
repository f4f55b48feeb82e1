import type { MigrationInterface } from 'typeorm';

/** A step of the schema. Its number in the list of migrations is the schema version that it makes. */
export interface Migration extends MigrationInterface {
  readonly name: string;
  /**
   * false: its statements run outside a transaction, as `CREATE INDEX CONCURRENTLY` and batches require. It must then be
   * repeatable, because it runs again after an interruption.
   */
  readonly transaction?: boolean;
  /**
   * Set where it removes or changes what earlier versions of the control plane use. `unusedSince` names the migration of the
   * first version that does not use it any more: processes of earlier versions stop before this migration runs.
   */
  readonly contracts?: { readonly unusedSince: string };
}
