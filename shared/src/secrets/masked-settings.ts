import { MASK } from './secret-header.js';

export interface WithoutMasked<Settings> {
  settings: Settings;
  /** The paths of the secrets that are not known: `['http', 'headers', 'Cookie']`. */
  leftOut: readonly (readonly string[])[];
}

/** Leaves the masked secrets out of settings, wherever they are, as a form needs it in which they are entered again. */
export function withoutMasked<Settings extends object>(settings: Settings): WithoutMasked<Settings> {
  return leaveOut(settings, (left) => left);
}

/**
 * Leaves the masked secrets out of what a one-off test sends, which has no stored ones. With them goes what is nothing without
 * its secret: a variant, such as a sign-in, and a map of which nothing is left. A secret variable is empty, because steps use it.
 */
export function testableSettings<Settings extends object>(settings: Settings): WithoutMasked<Partial<Settings>> {
  return leaveOut(settings, (left, path) => {
    if (path.at(-2) === 'variables') return '';
    return Object.hasOwn(left, 'type') || Object.keys(left).length === 0 ? undefined : left;
  });
}

/** @param remains what becomes of an object without its masked secrets; undefined: it is left out itself */
function leaveOut<Settings extends object>(
  settings: Settings,
  remains: (left: object, path: readonly string[]) => unknown,
): WithoutMasked<Settings> {
  const leftOut: string[][] = [];
  const known = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => known(item, [...path, String(index)]));
    if (!isObject(value)) return value;
    const masked = Object.keys(value).filter((name) => value[name] === MASK);
    leftOut.push(...masked.map((name) => [...path, name]));
    const left = Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !masked.includes(name))
        .map(([name, own]) => [name, known(own, [...path, name])] as const)
        .filter(([, own]) => own !== undefined),
    );
    return masked.length === 0 || path.length === 0 ? left : remains(left, path);
  };
  return { settings: known(settings, []) as Settings, leftOut };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
