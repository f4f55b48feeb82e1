/** A name as messages have it, uncompressed and in lower case. */
export type WireName = Buffer;

export const ROOT: WireName = Buffer.alloc(1);

/** The name, its parent, and so on up to the root. */
export function withAncestors(name: WireName): WireName[] {
  const names = [name];
  for (let at = 0; name[at] !== 0; names.push(name.subarray(at))) at += 1 + name[at]!;
  return names;
}

export function labelCount(name: WireName): number {
  return withAncestors(name).length - 1;
}

/** The ancestor with so many labels. */
export function ancestorOf(name: WireName, labels: number): WireName {
  return withAncestors(name).at(-1 - labels)!;
}

export function isWithin(name: WireName, zone: WireName): boolean {
  return ancestorOf(name, Math.min(labelCount(name), labelCount(zone))).equals(zone);
}

/** The longest name that is an ancestor of both, or one of them. */
export function commonAncestor(one: WireName, other: WireName): WireName {
  return withAncestors(one).find((name) => isWithin(other, name))!;
}

export function wildcardOf(name: WireName): WireName {
  return Buffer.concat([Buffer.from('\u0001*'), name]);
}

export function isWildcard(name: WireName): boolean {
  return name[0] === 1 && name[1] === 0x2a;
}

/** The order of RFC 4034 §6.1: label by label from the right, by their bytes. */
export function compareNames(one: WireName, other: WireName): number {
  const [left, right] = [labelsOf(one), labelsOf(other)];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = left[index]!.compare(right[index]!);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Without their lengths, from the right. */
function labelsOf(name: WireName): Buffer[] {
  const starts = withAncestors(name).slice(0, -1);
  return starts.map((start) => start.subarray(1, 1 + start[0]!)).toReversed();
}

export function keyOf(name: WireName): string {
  return name.toString('latin1');
}
