import { isCollection, isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { YAML_OPTIONS, yamlFaults } from '@watchpost/shared/yaml-faults';
import type { ErrorDetail } from '../command/command-error.js';
import { type Place, placeKey, type Places, type Source } from './source.js';

const MAX_ALIASED = 1_000;
const MAX_FAULTS = 100;

export interface ParsedSource {
  name: string;
  value: Readonly<Record<string, unknown>>;
  places: Places;
}

/** Parses one file as YAML 1.2 (core schema), of which JSON is a part. @returns the faults where it has some */
export function parseSource({ name, text }: Source): ParsedSource | { faults: ErrorDetail[] } {
  const lines = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file: name, line, column: col };
  };
  const document = parseDocument(text, { ...YAML_OPTIONS, lineCounter: lines });
  if (document.errors.length > 0) {
    const faults = document.errors.slice(0, MAX_FAULTS).map(({ message, code, pos }) => ({
      path: '',
      message: code === 'MULTIPLE_DOCS' ? 'a file has one document: split it' : `is not valid YAML: ${message}`,
      ...placeAt(pos[0]),
    }));
    return { faults };
  }
  const links = yamlFaults(document).slice(0, MAX_FAULTS);
  if (links.length > 0) return { faults: links.map(({ message, at }) => ({ path: '', message, ...placeAt(at) })) };
  const fault = (message: string) => ({ faults: [{ path: '', message, file: name, line: 1, column: 1 }] });
  if (document.contents === null) return fault('is empty');
  if (!isMap(document.contents)) return fault('must be a map with fields such as `project` and `monitors`');
  try {
    const value = document.toJS({ maxAliasCount: MAX_ALIASED }) as Record<string, unknown>;
    return { name, value, places: placesOf(document, placeAt) };
  } catch {
    return fault(`has aliases that expand to more than ${MAX_ALIASED} nodes`);
  }
}

/** Positions of all nodes: a value that is no collection has its own, a collection that of its key. */
function placesOf({ contents }: Document.Parsed, placeAt: (offset: number) => Place): Places {
  const places: Places = new Map();
  const startOf = (node: unknown) => (node as { range?: readonly number[] | null } | null)?.range?.[0];
  const visit = (node: unknown, key: unknown, path: readonly string[]): void => {
    const start = (isCollection(node) ? startOf(key) : undefined) ?? startOf(node) ?? startOf(key);
    if (start !== undefined) places.set(placeKey(path), placeAt(start));
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
