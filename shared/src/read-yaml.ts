import { Composer, type CST, type Document, isCollection, isMap, isScalar, Lexer, LineCounter, Parser } from 'yaml';
import { YAML_OPTIONS, yamlFaults } from './yaml-faults.js';
import { placesOf, type YamlPlace } from './yaml-places.js';

export interface YamlText {
  value: unknown;
  /** The places of its nodes by `placeKey`. */
  places: ReadonlyMap<string, YamlPlace>;
}

/** A fault of a text, with its place. */
export interface LocatedFault {
  message: string;
  /** The field; empty where it is not known. */
  path: readonly string[];
  at: YamlPlace | null;
}

export interface FaultyText {
  faults: readonly LocatedFault[];
}

/** Nodes that aliases may expand to. */
const MAX_ALIASED = 1_000;
const MAX_DEPTH = 50;
/** Of one list or map, and of all: as in JSON. */
const MAX_ENTRIES = 10_000;
const MAX_VALUES = 100_000;
/** Marks, breaks of lines, spaces and comments too: each costs time and memory. */
const MAX_LEXEMES = 400_000;
const MAX_FAULTS = 100;
/** Before a scalar without quotes. */
const SCALAR = '\x1f';
const BEGINS_VALUE = new Set([SCALAR, '"', "'", '[', '{', '-', ',', '!']);

/** Reads one document in YAML 1.2, of which JSON is a part. @returns what is wrong, with places, where something is */
export function readYamlText(text: string): YamlText | FaultyText {
  const lines = new LineCounter();
  const placeAt = (offset: number): YamlPlace => {
    const { line, col } = lines.linePos(offset);
    return [line, col];
  };
  const refused = (message: string, at: YamlPlace | null = null) => ({ faults: [{ message, path: [], at }] });
  const excess = excessOf(text);
  if (excess !== null) return refused(excess);
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  // The parser is a loop and the composer is recursive: a text that is nested too deeply must not reach it.
  if (tokens.some((token) => depthOf(token) > MAX_DEPTH))
    return refused(`is nested more than ${MAX_DEPTH} levels deep`);
  const documents = [...new Composer({ ...YAML_OPTIONS, uniqueKeys: false }).compose(tokens, true, text.length)];
  const [document, second] = documents as [Document.Parsed, ...Document.Parsed[]];
  if (second) return refused('has more than one document: divide it', placeAt(second.range[0]));
  const syntax = [...document.errors.map(({ message, pos }) => ({ message, at: pos[0] })), ...repeatedKeys(document)];
  const faults = [
    ...syntax.map(({ message, at }) => ({ message: `is not valid YAML: ${message}`, path: [], at })),
    ...yamlFaults(document),
  ];
  if (faults.length > 0)
    return { faults: faults.slice(0, MAX_FAULTS).map((fault) => ({ ...fault, at: placeAt(fault.at) })) };
  // How often aliases are used was counted.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  if (!hasBoundedAliases(value)) return refused(`has aliases that expand to more than ${MAX_ALIASED} nodes`);
  return { value, places: placesOf(document.contents, placeAt) };
}

/** What would take too long to compose: counted in the lexemes, because an alias can be resolved only by a search. */
function excessOf(text: string): string | null {
  let [lexemes, values, links, isScalar] = [0, 0, 0, false];
  for (const lexeme of new Lexer().lex(text)) {
    const first = lexeme[0]!;
    if (!isScalar && (first === '&' || first === '*')) links++;
    isScalar = lexeme === SCALAR;
    if (BEGINS_VALUE.has(first)) values++;
    if (links > MAX_ALIASED) return `has more than ${MAX_ALIASED} anchors and aliases`;
    if (values > MAX_VALUES) return `has more than ${MAX_VALUES} values`;
    if (++lexemes > MAX_LEXEMES)
      return `has more than ${MAX_LEXEMES} parts: leave out blank lines and comments, or divide it`;
  }
  return null;
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

/** Keys that a map has twice, of which the library compares each with each, and collections with too many entries. */
function repeatedKeys(document: Document.Parsed): { message: string; at: number }[] {
  const found: { message: string; at: number }[] = [];
  const stack: unknown[] = [document.contents];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isCollection(node)) continue;
    if (node.items.length > MAX_ENTRIES)
      found.push({ message: `a list or map has more than ${MAX_ENTRIES} entries`, at: node.range?.[0] ?? 0 });
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
