import { isCollection, isMap, isScalar } from 'yaml';

/** Line and column, from 1. */
export type YamlPlace = readonly [line: number, column: number];

/** Of the nodes nearest to the root. */
const MAX_PLACES = 20_000;

interface PlacedNode {
  node: unknown;
  /** Of a value in a map. */
  key?: unknown;
  path: readonly string[];
}

/** The places of nodes by `placeKey`, those nearest to the root first: a list or map is where its key is. */
export function placesOf(contents: unknown, placeAt: (offset: number) => YamlPlace): Map<string, YamlPlace> {
  const places = new Map<string, YamlPlace>();
  let level: PlacedNode[] = [{ node: contents, path: [] }];
  while (level.length > 0 && places.size < MAX_PLACES) {
    for (const { node, key, path } of level.slice(0, MAX_PLACES - places.size)) {
      const start = (isCollection(node) ? startOf(key) : undefined) ?? startOf(node) ?? startOf(key);
      if (start !== undefined) places.set(placeKey(path), placeAt(start));
    }
    level = level.flatMap(({ node, path }) => childrenOf(node, path));
  }
  return places;
}

function childrenOf(node: unknown, path: readonly string[]): PlacedNode[] {
  if (!isCollection(node)) return [];
  if (!isMap(node)) return node.items.map((item, index) => ({ node: item, path: [...path, String(index)] }));
  return node.items.flatMap(({ key, value }) =>
    isScalar(key) ? [{ node: value, key, path: [...path, String(key.value)] }] : [],
  );
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
}

export function placeKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** The place of a node, or of the nearest one above it that has one. */
export function nearestPlace<Place>(places: ReadonlyMap<string, Place>, path: readonly string[]): Place | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const place = places.get(placeKey(path.slice(0, depth)));
    if (place) return place;
  }
  return undefined;
}
