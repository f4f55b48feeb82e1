import { roundedFault } from './assertions/exact-json.js';
import { isRounded } from './assertions/exact-number.js';
import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Document,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml';

export interface YamlFault {
  message: string;
  /** The field; none where only its place is known. */
  path: readonly string[];
  /** Its offset in the text. */
  at: number;
}

/** Fields that merge keys copy, with everything below them. */
const MAX_MERGED = 20_000;
/** Decimal, hexadecimal and octal. Longer ones are infinite as numbers. */
const INTEGER = /^-?(?:\d{1,400}|0x[\da-f]{1,400}|0o[0-7]{1,400})$/i;

/** For YAML that documents are written in: 1.2 with the values of JSON, and the merge keys `<<` of 1.1, which people expect. */
export const YAML_OPTIONS = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  merge: true,
  prettyErrors: false,
} as const;

/** Finds what is wrong with a document that parses: unknown and cyclic aliases, unknown tags, merge keys of what is no map, numbers that would change. */
export function yamlFaults(document: Document.Parsed): YamlFault[] {
  const tags = document.warnings
    .filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
    .map(({ message, pos }) => ({
      message: `has a tag that is not known here: ${message.replace(/^.*: /, '')}`,
      path: [],
      at: pos[0],
    }));
  const nodes = new NodeReader();
  nodes.read(document.contents);
  return [...tags, ...nodes.faults].toSorted((a, b) => a.at - b.at);
}

/** Reads the nodes in the order of the text, in which an anchor is valid from its node on. */
class NodeReader {
  readonly faults: YamlFault[] = [];
  readonly #anchors = new Map<string, Node>();
  readonly #open = new Set<Node>();
  readonly #path: string[] = [];
  readonly #sizes = new Map<Node, number>();
  #merged = 0;

  /** @returns how many nodes it becomes, aliases as one */
  read(node: unknown): number {
    if (!isNode(node)) return 1;
    if (isAlias(node)) {
      this.#targetOf(node);
      return 1;
    }
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    this.#open.add(node);
    let size = 1;
    if (isSeq(node))
      for (const [at, item] of node.items.entries()) size += this.#readAt(String(at), () => this.read(item));
    if (isMap(node)) for (const pair of node.items) size += this.#readAt(nameOf(pair), () => this.#readPair(pair));
    // A merge key that is the key of nothing, as its tag can make one.
    if (isScalar(node) && typeof node.value === 'symbol') this.#report(node, '`<<` is a key of maps, and no value');
    if (isScalar(node) && typeof node.value === 'number') this.#readNumber(node as Scalar<number>);
    this.#open.delete(node);
    this.#sizes.set(node, size);
    return size;
  }

  #readAt(name: string, read: () => number): number {
    this.#path.push(name);
    const size = read();
    this.#path.pop();
    return size;
  }

  #readNumber(node: Scalar<number>): void {
    const source = node.source?.replace('+', '') ?? '';
    const integer = INTEGER.test(source) ? String(BigInt(source)) : null;
    if (integer === null && !Number.isFinite(node.value))
      this.#report(node, `would become ${node.value}, which JSON does not have: give a number below 1.8e308`, [
        ...this.#path,
      ]);
    else if (isRounded(integer ?? source)) this.#report(node, roundedFault(integer ?? source), [...this.#path]);
  }

  #readPair(pair: Pair): number {
    const size = this.read(pair.value);
    if (!isMergeKey(pair)) return size + this.read(pair.key);
    const sources = isSeq(pair.value) ? pair.value.items : [pair.value];
    let copied = 0;
    for (const source of sources) {
      const target = isAlias(source) ? this.#anchors.get(source.source) : source;
      if (isMap(target)) copied += this.#sizes.get(target) ?? 0;
      else if (target !== undefined) this.#report(source, '`<<` merges maps, or a list of maps, and nothing else');
    }
    const before = this.#merged;
    this.#merged += copied;
    if (before <= MAX_MERGED && this.#merged > MAX_MERGED)
      this.#report(pair.key, `merge keys copy more than ${MAX_MERGED} values`);
    return size + copied;
  }

  #targetOf(alias: Node & { source: string }): void {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) this.#report(alias, `the alias *${alias.source} has no anchor before it`);
    else if (this.#open.has(target))
      this.#report(alias, `the alias *${alias.source} is part of the node that it names`);
  }

  #report(node: unknown, message: string, path: readonly string[] = []): void {
    this.faults.push({ message, path, at: isNode(node) ? (node.range?.[0] ?? 0) : 0 });
  }
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.source ?? key.value) : '';
}

function isMergeKey(pair: unknown): boolean {
  return isPair(pair) && isScalar(pair.key) && typeof pair.key.value === 'symbol';
}
