import { placeKey } from '@watchpost/shared/yaml-places';
import type { ErrorDetail } from '../command/command-error.js';
import type { ParsedSource } from './parse-source.js';
import type { Place, Places } from './source.js';

type Fields = Readonly<Record<string, unknown>>;

export interface MergedDocument {
  value: Fields;
  places: Places;
}

/** Fields that describe the whole document: files that have them must agree. */
const COMMON = new Set(['apiVersion', 'project']);

/**
 * Makes one document of several files. Sections are merged key by key; each key is in one file only.
 * @returns the document with the positions in its files, or every contradiction
 */
export function mergeSources(sources: readonly ParsedSource[]): MergedDocument | { faults: ErrorDetail[] } {
  const value: Record<string, unknown> = {};
  const places = new Map<string, Place>();
  const faults: ErrorDetail[] = [];
  const report = (source: ParsedSource, path: readonly string[], message: string): void => {
    const former = places.get(placeKey(path));
    const elsewhere = former === undefined ? '' : ` (${former.file}:${former.line})`;
    faults.push({ path: path.join('.'), message: message + elsewhere, ...source.places.get(placeKey(path)) });
  };
  for (const source of sources) {
    for (const [field, content] of Object.entries(source.value)) {
      if (!Object.hasOwn(value, field)) {
        value[field] = isMap(content) ? { ...content } : content;
        copyPlaces(source.places, places, [field]);
      } else if (COMMON.has(field)) {
        if (value[field] !== content) report(source, [field], 'must be the same in all files');
      } else if (field === 'defaults' || !isMap(content) || !isMap(value[field])) {
        report(source, [field], 'is in another file already');
      } else {
        for (const [key, object] of Object.entries(content)) {
          if (Object.hasOwn(value[field], key)) report(source, [field, key], 'is in another file already');
          else {
            (value[field] as Record<string, unknown>)[key] = object;
            copyPlaces(source.places, places, [field, key]);
          }
        }
      }
    }
  }
  return faults.length > 0 ? { faults } : { value, places };
}

/** Of a node and all below it. */
function copyPlaces(from: Places, to: Map<string, Place>, path: readonly string[]): void {
  const key = placeKey(path);
  const below = `${key.slice(0, -1)},`;
  for (const [each, place] of from) if (each === key || each.startsWith(below)) to.set(each, place);
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
