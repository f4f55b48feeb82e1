/**
 * Applies a JSON Merge Patch (RFC 7396 §2): null removes a member, objects merge, anything else replaces.
 * Neither argument is changed. A member named `__proto__` becomes an own member, never a prototype.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/**
 * Applies a merge patch to the writable fields of a resource.
 * @param writable the fields that callers may change; the others keep their values whatever the patch contains
 * @returns the writable fields after the patch; removed ones are absent
 */
export function mergeWritable<Field extends string>(
  resource: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
  writable: readonly Field[],
): Partial<Record<Field, unknown>> {
  const pick = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(writable.filter((field) => Object.hasOwn(from, field)).map((field) => [field, from[field]]));
  return mergePatch(pick(resource), pick(patch)) as Partial<Record<Field, unknown>>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
