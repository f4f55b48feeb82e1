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
/** Beside the code of a chain: the node has other children, too. */
const BRANCHES = 128;

/**
 * Finds many strings in a text in one pass (Aho and Corasick, CACM 18(6), 1975). Its cost does not depend on their number
 * or similarity, so that no choice of secrets makes a text expensive. A literal is a chain of nodes with consecutive numbers
 * from where it differs from those before it.
 */
export class LiteralSearch {
  /** The code of the child with the next number, by node; 0: none has it. */
  private readonly next: Uint8Array;
  /** The other children, by node and code: at most one for each literal. */
  private readonly branches = new Map<number, number>();
  /** The children of the root, which nearly every character of a text looks for. */
  private readonly first = new Uint32Array(ALPHABET);
  private readonly depth: Uint32Array;
  /** The length of the longest literal that ends here. */
  private readonly ending: Uint32Array;
  private readonly failure: Uint32Array;

  constructor(literals: readonly Codes[]) {
    const most = literals.reduce((sum, { length }) => sum + length, 1);
    const [parents, codeOf] = [new Uint32Array(most), new Uint8Array(most)];
    this.next = new Uint8Array(most);
    [this.depth, this.ending, this.failure] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)];
    let nodes = 1;
    for (const { codes, length } of literals) {
      let node = 0;
      for (let at = 0; at < length; at++) {
        const code = codes[at]!;
        const parent = node;
        node = this.child(parent, code);
        if (node !== 0) continue;
        node = nodes++;
        [parents[node], codeOf[node], this.depth[node]] = [parent, code, at + 1];
        if (parent === 0) this.first[code] = node;
        else if (parent === node - 1) this.next[parent] = code;
        else {
          this.next[parent]! |= BRANCHES;
          this.branches.set(parent * ALPHABET + code, node);
        }
      }
      this.ending[node] = length;
    }
    // Parents precede their children.
    for (const node of inOrderOf(this.depth.subarray(0, nodes))) {
      if (node === 0) continue;
      const parent = parents[node]!;
      if (parent !== 0) this.failure[node] = this.step(this.failure[parent]!, codeOf[node]!);
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

  /** 0 without one. */
  private child(node: number, code: number): number {
    if (node === 0) return this.first[code]!;
    const next = this.next[node]!;
    if ((next & ~BRANCHES) === code) return node + 1;
    return next < BRANCHES ? 0 : (this.branches.get(node * ALPHABET + code) ?? 0);
  }
}

/** The places of numbers that are no larger than how many they are, sorted by them. */
function inOrderOf(numbers: Uint32Array): Uint32Array {
  const before = new Uint32Array(numbers.length + 1);
  for (const number of numbers) before[number + 1]!++;
  for (let at = 1; at < before.length; at++) before[at]! += before[at - 1]!;
  const order = new Uint32Array(numbers.length);
  // An iterator of pairs would take most of the time of all of this.
  numbers.forEach((number, place) => (order[before[number]!++] = place));
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
