import { type Fields, isPlain } from '../../platform/documents/fields.js';

/** The fields of an object over the defaults: objects are merged field by field, lists and other values replaced. */
export function mergeDefaults(defaults: Fields, fields: Fields): Fields {
  const merged: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(fields)) {
    const under = merged[name];
    merged[name] = isPlain(value) && isPlain(under) ? mergeDefaults(under, value) : value;
  }
  return merged;
}
