type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object over the defaults: objects are merged field by field, lists and other values replaced. */
export function mergeDefaults(defaults: Fields, fields: Fields): Fields {
  const merged: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(fields)) {
    const under = merged[name];
    merged[name] = isPlain(value) && isPlain(under) ? mergeDefaults(under, value) : value;
  }
  return merged;
}

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
