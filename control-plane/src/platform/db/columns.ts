import { Column, type ColumnOptions } from 'typeorm';

/** A time, to the millisecond. */
export function TimeColumn(options: ColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'timestamptz', precision: 3, ...options });
}

/** A column `GENERATED ALWAYS AS IDENTITY`. TypeORM supports it, but its types allow it for primary keys only. */
export function IdentityColumn(type: 'bigint' | 'integer'): PropertyDecorator {
  return Column({ type, generated: 'identity', generatedIdentity: 'ALWAYS' });
}
