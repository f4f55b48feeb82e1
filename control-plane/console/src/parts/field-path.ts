/** @returns the value at a dotted path (`http.headers.0`); undefined if there is none */
export function valueAt(values: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], values);
}

/** @returns a copy in which the value at a dotted path is another */
export function withValueAt<T>(values: T, path: string, value: unknown): T {
  const [name = '', ...rest] = path.split('.');
  const copy = Array.isArray(values) ? [...(values as unknown[])] : { ...(values as Record<string, unknown>) };
  const fields = copy as Record<string, unknown>;
  fields[name] = rest.length === 0 ? value : withValueAt(fields[name] ?? {}, rest.join('.'), value);
  return copy as T;
}

/** @returns whether a fault at `path` belongs to the field `name`: it is the field, or a part of it */
export function belongsTo(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`);
}

/** @returns the list in which a thing changed places with its neighbour */
export function moved<T>(list: readonly T[], index: number, by: 1 | -1): T[] {
  return list.with(index, list[index + by]!).with(index + by, list[index]!);
}
