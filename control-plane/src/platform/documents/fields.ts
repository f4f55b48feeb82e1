/** The fields of an object of a document, or of a body of REST. */
export type Fields = Readonly<Record<string, unknown>>;

export function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Puts a value in the place of a masked secret; fields that do not have it stay as they are. The name of a header may
 * contain dots.
 */
export function replaceMask(fields: Record<string, unknown>, path: string, value: unknown): void {
  let [holder, name]: [unknown, string] = [fields, path];
  while (isHolder(holder) && !Object.hasOwn(holder, name) && name.includes('.')) {
    const [parent = ''] = name.split('.', 1);
    [holder, name] = [holder[parent], name.slice(parent.length + 1)];
  }
  if (isHolder(holder) && Object.hasOwn(holder, name)) holder[name] = value;
}

/** Lists have indices as names. */
function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
