/** One element of DER (X.690), as far as certificates and OCSP responses need it. */
export interface DerNode {
  tag: number;
  /** The content, without tag and length. */
  content: Buffer;
}

/** @throws RangeError for invalid or incomplete bytes */
export function readDer(bytes: Buffer, at = 0): { node: DerNode; next: number } {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new RangeError('not DER');
  let length = first;
  let start = at + 2;
  if (first > 0x80) {
    const size = first & 0x7f;
    if (size > 4 || start + size > bytes.length) throw new RangeError('not DER');
    length = bytes.readUIntBE(start, size);
    start += size;
  } else if (first === 0x80) throw new RangeError('not DER');
  if (start + length > bytes.length) throw new RangeError('DER is cut off');
  return { node: { tag, content: bytes.subarray(start, start + length) }, next: start + length };
}

/** The elements of a constructed element. @throws RangeError as `readDer` */
export function readDerChildren(content: Buffer): DerNode[] {
  const children: DerNode[] = [];
  for (let at = 0; at < content.length;) {
    const { node, next } = readDer(content, at);
    children.push(node);
    at = next;
  }
  return children;
}

/** An object identifier in dotted notation (X.690 §8.19). */
export function readOid(content: Buffer): string {
  const arcs: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(value);
      value = 0;
    }
  }
  const [first = 0, ...rest] = arcs;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...rest].join('.');
}

/** A GeneralizedTime of RFC 5280 §4.1.2.5.2 as ISO 8601. @throws RangeError for another format */
export function readTime(content: Buffer): string {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/.exec(content.toString('latin1'));
  const time = match
    ? Date.UTC(+match[1]!, +match[2]! - 1, +match[3]!, +match[4]!, +match[5]!, +match[6]!)
    : Number.NaN;
  if (Number.isNaN(time)) throw new RangeError('not a GeneralizedTime');
  return new Date(time).toISOString();
}
