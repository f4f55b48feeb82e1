import { parentPort, workerData } from 'node:worker_threads';
import { isCollection, isMap, isScalar } from 'yaml';
import { readYamlText, type YamlPlace, type YamlText } from '@watchpost/shared/read-yaml';
import type { YamlAnswer } from './read-yaml.js';

/** Of the nodes nearest to the root. */
const MAX_PLACES = 20_000;

const read = readYamlText(workerData as string);
parentPort!.postMessage(('faults' in read ? read : { value: read.value, places: placesOf(read) }) satisfies YamlAnswer);

/** Where the nodes are that have a path, those nearest to the root first. */
function placesOf({ document, placeAt }: YamlText): Map<string, YamlPlace> {
  const places = new Map<string, YamlPlace>();
  let level: { node: unknown; path: string[] }[] = [{ node: document.contents, path: [] }];
  while (level.length > 0 && places.size < MAX_PLACES) {
    const next: typeof level = [];
    for (const { node, path } of level) {
      const range = (node as { range?: readonly number[] | null } | null)?.range;
      if (range && places.size < MAX_PLACES) places.set(JSON.stringify(path), placeAt(range[0]!));
      if (!isCollection(node)) continue;
      node.items.forEach((item, index) => {
        if (!isMap(node)) next.push({ node: item, path: [...path, String(index)] });
        else {
          const { key, value } = item as { key: unknown; value: unknown };
          if (isScalar(key)) next.push({ node: value ?? key, path: [...path, String(key.value)] });
        }
      });
    }
    level = next;
  }
  return places;
}
