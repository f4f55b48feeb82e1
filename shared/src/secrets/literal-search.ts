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
  /** Edges by node and character, except those of the root, which nearly every character of a text uses. */
  private readonly edges = new Map<number, number>();
  private readonly first = new Uint32Array(ALPHABET);
  private readonly depth: number[] = [0];
  /** The length of the longest literal that ends here. */
  private readonly ending: number[] = [0];
  private readonly failure: number[] = [0];

  constructor(literals: Iterable<Codes>) {
    const byDepth: [parent: number, code: number, node: number][][] = [];
    for (const { codes, length } of literals) {
      let node = 0;
      for (let at = 0; at < length; at++) {
        const code = codes[at]!;
        const parent = node;
        node = this.child(parent, code);
        if (node !== 0) continue;
        node = this.depth.push(at + 1) - 1;
        this.ending.push(0);
        this.failure.push(0);
        if (parent === 0) this.first[code] = node;
        else this.edges.set(parent * ALPHABET + code, node);
        (byDepth[at] ??= []).push([parent, code, node]);
      }
      this.ending[node] = length;
    }
    // Parents precede their children.
    for (const level of byDepth)
      for (const [parent, code, node] of level) {
        if (parent !== 0) this.failure[node] = this.step(this.failure[parent]!, code);
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
    return node === 0 ? this.first[code]! : (this.edges.get(node * ALPHABET + code) ?? 0);
  }
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
