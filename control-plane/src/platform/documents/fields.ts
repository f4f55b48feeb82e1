/** The fields of an object of a document, or of a body of REST. */
export type Fields = Readonly<Record<string, unknown>>;

export function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const HEADERS = 'headers.';

/**
 * Puts a value in the place of a masked secret; fields that do not have it stay as they are. The name of a header may
 * contain dots: all that follows `headers.` is one name.
 */
export function replaceMask(fields: Record<string, unknown>, path: string, value: unknown): void {
  const at = path.indexOf(HEADERS);
  const name = at < 0 ? path : path.slice(at + HEADERS.length);
  const parents = at < 0 ? [] : path.slice(0, at + HEADERS.length - 1).split('.');
  let holder: unknown = fields;
  for (const parent of parents) holder = isPlain(holder) ? holder[parent] : undefined;
  if (isPlain(holder) && Object.hasOwn(holder, name)) (holder as Record<string, unknown>)[name] = value;
}

export function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
