import { nearestPlace, placeKey } from '@watchpost/shared/yaml-places';
import type { MergedDocument } from './merge-sources.js';
import type { Place } from './source.js';

/** The position of a node, or of the nearest one above it. Fields that a monitor has from `defaults` are there. */
export function locate({ places }: Pick<MergedDocument, 'places'>, path: readonly string[]): Place | undefined {
  const own = places.get(placeKey(path));
  if (own) return own;
  const [section, , ...fields] = path;
  if (section === 'monitors' && fields.length > 0) {
    for (let depth = fields.length; depth > 0; depth--) {
      if (places.has(placeKey([...path.slice(0, 2), ...fields.slice(0, depth)]))) break;
      const preset = places.get(placeKey(['defaults', ...fields.slice(0, depth)]));
      if (preset) return preset;
    }
  }
  return nearestPlace(places, path);
}

/**
 * The names of the nodes on a dotted path, such as that of a fault. Keys may contain dots themselves, so the document decides: of
 * several keys that fit, the longest.
 */
export function splitPath(value: unknown, dotted: string): string[] {
  const path: string[] = [];
  let node = value;
  let rest = dotted;
  while (rest !== '') {
    const keys = typeof node === 'object' && node !== null ? Object.keys(node) : [];
    const fitting = keys.filter((key) => rest === key || rest.startsWith(`${key}.`));
    const key = fitting.toSorted((a, b) => b.length - a.length)[0];
    if (key === undefined) return [...path, ...rest.split('.')];
    path.push(key);
    node = (node as Record<string, unknown>)[key];
    rest = rest.slice(key.length + 1);
  }
  return path;
}
