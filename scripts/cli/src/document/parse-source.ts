import { readYamlText } from '@watchpost/shared/read-yaml';
import type { YamlPlace } from '@watchpost/shared/yaml-places';
import type { ErrorDetail } from '../command/command-error.js';
import type { Places, Source } from './source.js';

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
  const { value } = read;
  if (value === null) return { faults: [faultAt('is empty')] };
  if (typeof value !== 'object' || Array.isArray(value))
    return { faults: [faultAt('must be a map with fields such as `project` and `monitors`')] };
  const places = [...read.places].map(([path, [line, column]]) => [path, { file: name, line, column }] as const);
  return { name, value: value as Record<string, unknown>, places: new Map(places) };
}
