import { isCollection, isMap, isScalar } from 'yaml';
import { readYamlText, type YamlPlace, type YamlText } from '@watchpost/shared/read-yaml';
import type { ErrorDetail } from '../command/command-error.js';
import { placeKey, type Places, type Source } from './source.js';

export interface ParsedSource {
  name: string;
  value: Readonly<Record<string, unknown>>;
  places: Places;
}

/** Parses one file as YAML 1.2 (core schema), of which JSON is a part. @returns the faults where it has some */
export function parseSource({ name, text }: Source): ParsedSource | { faults: ErrorDetail[] } {
  const read = readYamlText(text);
  const faultAt = (message: string, path: readonly string[] = [], at: YamlPlace | null = null) => {
    const [line, column] = at ?? [1, 1];
    return { path: path.join('.'), message, file: name, line, column };
  };
  if ('faults' in read) return { faults: read.faults.map(({ message, path, at }) => faultAt(message, path, at)) };
  const { contents } = read.document;
  if (contents === null) return { faults: [faultAt('is empty')] };
  if (!isMap(contents)) return { faults: [faultAt('must be a map with fields such as `project` and `monitors`')] };
  return { name, value: read.value as Record<string, unknown>, places: placesOf(name, read) };
}

/** Positions of all nodes: a value that is no collection has its own, a collection that of its key. */
function placesOf(file: string, { document: { contents }, placeAt }: YamlText): Places {
  const places: Places = new Map();
  const startOf = (node: unknown) => (node as { range?: readonly number[] | null } | null)?.range?.[0];
  const visit = (node: unknown, key: unknown, path: readonly string[]): void => {
    const start = (isCollection(node) ? startOf(key) : undefined) ?? startOf(node) ?? startOf(key);
    if (start !== undefined) {
      const [line, column] = placeAt(start);
      places.set(placeKey(path), { file, line, column });
    }
    if (!isCollection(node)) return;
    node.items.forEach((item, index) => {
      if (!isMap(node)) return visit(item, undefined, [...path, String(index)]);
      const pair = item as { key: unknown; value: unknown };
      if (isScalar(pair.key)) visit(pair.value, pair.key, [...path, String(pair.key.value)]);
    });
  };
  visit(contents, undefined, []);
  return places;
}
