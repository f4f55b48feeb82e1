import { Column, type ColumnOptions, getMetadataArgsStorage, PrimaryColumn } from 'typeorm';
import { jsonText } from './json-text.js';
import { NamingStrategy } from './naming-strategy.js';

/** A time, to the millisecond. */
export function TimeColumn(options: ColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'timestamptz', precision: 3, ...options });
}

/** A column `GENERATED ALWAYS AS IDENTITY`. TypeORM supports it, but its types allow it for primary keys only. */
export function IdentityColumn(type: 'bigint' | 'integer'): PropertyDecorator {
  return Column({ type, generated: 'identity', generatedIdentity: 'ALWAYS' });
}

/** A `jsonb` column, whose texts may contain what jsonb refuses. */
export function JsonColumn(options: ColumnOptions = {}): PropertyDecorator {
  const to = (value: unknown): unknown => (value === null || value === undefined ? value : JSON.parse(jsonText(value)));
  return Column({ type: 'jsonb', transformer: { to, from: (value: unknown) => value }, ...options });
}

/**
 * The columns of an entity as SQL returns them under the names of its properties.
 * @param from the name or alias of its table there
 * @param without properties that are not read
 */
export function columnsOf<E extends object>(
  entity: new () => E,
  { from, without = [] }: { from?: string; without?: readonly (keyof E & string)[] } = {},
): string {
  const naming = new NamingStrategy();
  const classes: Function[] = [];
  for (let one: Function = entity; one.prototype !== undefined; one = Object.getPrototypeOf(one) as Function)
    classes.push(one);
  return getMetadataArgsStorage()
    .filterColumns(classes)
    .filter(({ propertyName }) => !without.some((name) => name === propertyName))
    .map(({ propertyName, options }) => {
      const column = naming.columnName(propertyName, options.name ?? '');
      return `${from === undefined ? '' : `${from}.`}${column} AS "${propertyName}"`;
    })
    .join(', ');
}

/** The columns that most tables of configuration have. */
export abstract class CreatedEntity {
  @PrimaryColumn('uuid') id!: string;
  @TimeColumn() created!: Date;
}

/** A row that people change. */
export abstract class DatedEntity extends CreatedEntity {
  @TimeColumn() lastModified!: Date;
}
