import { parentPort, workerData } from 'node:worker_threads';
import { Composer, type CST, type Document, isCollection, isMap, isScalar, LineCounter, Parser } from 'yaml';
import type { YamlAnswer } from './read-yaml.js';

/** Nodes that aliases may expand to. */
const MAX_ALIASED = 1_000;
const MAX_DEPTH = 50;
const MAX_FAULTS = 100;
/** Of the nodes nearest to the root. */
const MAX_PLACES = 20_000;

parentPort!.postMessage(readYaml(workerData as string));

function readYaml(text: string): YamlAnswer {
  const lines = new LineCounter();
  const placeAt = (offset: number): [number, number] => {
    const { line, col } = lines.linePos(offset);
    return [line, col];
  };
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  // The parser is a loop and the composer is recursive: a text that is nested too deeply must not reach it.
  if (tokens.some((token) => depthOf(token) > MAX_DEPTH))
    return { faults: [{ message: `is nested more than ${MAX_DEPTH} levels deep`, at: null }] };
  const composer = new Composer({ version: '1.2', schema: 'core', prettyErrors: false, uniqueKeys: false });
  const documents = [...composer.compose(tokens, true, text.length)];
  if (documents.length > 1) return { faults: [{ message: 'has more than one document', at: null }] };
  const document = documents[0] as Document.Parsed;
  const repeated = repeatedKeys(document);
  const faults = [...document.errors.map(({ message, pos }) => ({ message, at: pos[0] })), ...repeated];
  if (faults.length > 0)
    return {
      faults: faults
        .slice(0, MAX_FAULTS)
        .map(({ message, at }) => ({ message: `is not valid YAML: ${message}`, at: placeAt(at) })),
    };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASED });
  } catch {
    return { faults: [tooManyAliases()] };
  }
  return hasBoundedAliases(value) ? { value, places: placesOf(document, placeAt) } : { faults: [tooManyAliases()] };
}

function tooManyAliases() {
  return { message: `has aliases that expand to more than ${MAX_ALIASED} nodes`, at: null };
}

function depthOf(token: CST.Token): number {
  let level: CST.Token[] = [token];
  for (let depth = 0; ; depth++) {
    if (level.length === 0 || depth > MAX_DEPTH + 1) return depth;
    level = level.flatMap((each) => {
      if ('items' in each) return each.items.flatMap((item) => [item.key, item.value].filter((part) => !!part));
      return 'value' in each && each.value ? [each.value] : [];
    });
  }
}

/** Keys that a map has twice. The library compares each key with each. */
function repeatedKeys(document: Document.Parsed): { message: string; at: number }[] {
  const found: { message: string; at: number }[] = [];
  const stack: unknown[] = [document.contents];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isCollection(node)) continue;
    const keys = new Set<unknown>();
    for (const item of node.items) {
      if (!isMap(node)) stack.push(item);
      else {
        const { key, value } = item as { key: unknown; value: unknown };
        stack.push(value);
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) found.push({ message: 'the key is there twice', at: key.range?.[0] ?? 0 });
        keys.add(key.value);
      }
    }
  }
  return found;
}

/** An alias is the same object again. */
function hasBoundedAliases(value: unknown): boolean {
  const seen = new Set<unknown>();
  const stack = [{ value, isAliased: false }];
  let aliased = 0;
  for (let node = stack.pop(); node; node = stack.pop()) {
    const isAliased = node.isAliased || seen.has(node.value);
    if (isAliased && ++aliased > MAX_ALIASED) return false;
    if (typeof node.value !== 'object' || node.value === null) continue;
    seen.add(node.value);
    for (const child of Object.values(node.value)) stack.push({ value: child as unknown, isAliased });
  }
  return true;
}

/** Where the nodes are that have a path, those nearest to the root first. */
function placesOf(
  document: Document.Parsed,
  placeAt: (offset: number) => [number, number],
): Map<string, [number, number]> {
  const places = new Map<string, [number, number]>();
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
