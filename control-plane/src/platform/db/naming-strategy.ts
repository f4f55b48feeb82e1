import { DefaultNamingStrategy, type Table } from 'typeorm';

/** The names of the migrations: `last_modified` for the property `lastModified`, `monitor_pkey` for a primary key. */
export class NamingStrategy extends DefaultNamingStrategy {
  override columnName(property: string, custom: string): string {
    return custom || property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }
}
