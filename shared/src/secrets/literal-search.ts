export interface Found {
  /** The first character, and the one after the last. */
  start: number;
  end: number;
}

/** Characters have codes below 128. */
export interface Codes {
  codes: Uint16Array;
  length: number;
}

const ALPHABET = 128;

/**
 * Finds many strings in a text in one pass (Aho and Corasick, CACM 18(6), 1975). Its cost does not depend on their number
 * or similarity, so that no choice of secrets makes a text expensive.
 */
export class LiteralSearch {
  /** Edges by node and character, except those of the root, which nearly every character of a text uses: a hash table, whose keys are not 0. */
  private readonly edges: Uint32Array;
  private readonly children: Uint32Array;
  private readonly first = new Uint32Array(ALPHABET);
  private readonly depth: Uint32Array;
  /** The length of the longest literal that ends here. */
  private readonly ending: Uint32Array;
  private readonly failure: Uint32Array;

  constructor(literals: readonly Codes[]) {
    const most = literals.reduce((sum, { length }) => sum + length, 1);
    this.edges = new Uint32Array(2 ** Math.ceil(Math.log2(2 * most)));
    this.children = new Uint32Array(this.edges.length);
    [this.depth, this.ending, this.failure] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)];
    const edgeTo = new Uint32Array(most);
    let nodes = 1;
    for (const { codes, length } of literals) {
      let node = 0;
      for (let at = 0; at < length; at++) {
        const edge = node * ALPHABET + codes[at]!;
        node = this.child(node, codes[at]!);
        if (node !== 0) continue;
        node = nodes++;
        this.depth[node] = at + 1;
        edgeTo[node] = edge;
        if (edge < ALPHABET) this.first[edge] = node;
        else {
          const slot = this.slotOf(edge);
          this.edges[slot] = edge;
          this.children[slot] = node;
        }
      }
      this.ending[node] = length;
    }
    // Parents precede their children.
    for (const node of inOrderOf(this.depth.subarray(0, nodes))) {
      if (node === 0) continue;
      const parent = Math.floor(edgeTo[node]! / ALPHABET);
      if (parent !== 0) this.failure[node] = this.step(this.failure[parent]!, edgeTo[node]! % ALPHABET);
      this.ending[node] = Math.max(this.ending[node]!, this.ending[this.failure[node]!]!);
    }
  }

  /**
   * Finds every literal that is not inside another one and, at the end of the text, a prefix of one with at least `begun`
   * characters.
   */
  find({ codes, length }: Codes, begun: number): Found[] {
    const found: Found[] = [];
    let node = 0;
    for (let at = 0; at < length; at++) {
      node = this.step(node, codes[at]!);
      const ending = this.ending[node]!;
      if (ending > 0) addRange(found, { start: at + 1 - ending, end: at + 1 });
    }
    const depth = this.depth[node]!;
    if (depth >= begun) addRange(found, { start: length - depth, end: length });
    return found;
  }

  private step(from: number, code: number): number {
    let node = from;
    for (;;) {
      const next = this.child(node, code);
      if (next !== 0 || node === 0) return next;
      node = this.failure[node]!;
    }
  }

  /** 0 without an edge. */
  private child(node: number, code: number): number {
    return node === 0 ? this.first[code]! : this.children[this.slotOf(node * ALPHABET + code)]!;
  }

  /** The place of an edge in the table, or the free one where it belongs. */
  private slotOf(edge: number): number {
    const last = this.edges.length - 1;
    let slot = Math.imul(edge ^ (edge >>> 15), 0x9e3779b1) & last;
    while (this.edges[slot] !== 0 && this.edges[slot] !== edge) slot = (slot + 1) & last;
    return slot;
  }
}

/** The places of numbers that are no larger than how many they are, sorted by them. */
function inOrderOf(numbers: Uint32Array): Uint32Array {
  const before = new Uint32Array(numbers.length + 1);
  for (const number of numbers) before[number + 1]!++;
  for (let at = 1; at < before.length; at++) before[at]! += before[at - 1]!;
  const order = new Uint32Array(numbers.length);
  for (const [place, number] of numbers.entries()) order[before[number]!++] = place;
  return order;
}

/** Ranges are in the order of their ends: a new one absorbs those that it touches. */
function addRange(ranges: Found[], range: Found): void {
  let { start } = range;
  for (let last = ranges.at(-1); last && last.end >= start; last = ranges.at(-1)) {
    start = Math.min(start, last.start);
    ranges.pop();
  }
  ranges.push({ start, end: range.end });
}
