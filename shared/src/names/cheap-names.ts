const HEADER_BYTES = 12;
/** The bytes after a name in a question, and in a record up to its data (RFC 1035 §4.1). */
const QUESTION_BYTES = 4;
const RECORD_BYTES = 10;
/** Small messages may use any pointers; the names of others have few labels compared with their size. */
const FEWEST_STEPS = 1_000;
const STEPS_A_BYTE = 4;
/** Record data with names: the number of bytes before them, and of names (RFC 1035 §3.3 and others). */
const NAMES_IN_DATA = new Map<number, readonly [before: number, names: number]>([
  [2, [0, 1]], // NS
  [5, [0, 1]], // CNAME
  [6, [0, 2]], // SOA
  [12, [0, 1]], // PTR
  [15, [2, 1]], // MX
  [17, [0, 2]], // RP
  [18, [2, 1]], // AFSDB
  [33, [6, 1]], // SRV
  [39, [0, 1]], // DNAME
  [46, [18, 1]], // RRSIG
  [47, [0, 1]], // NSEC
]);

/**
 * Whether the names of a DNS message can be decoded in linear time. Pointers (RFC 1035 §4.1.4) can lead to pointers: four
 * thousand names of eight thousand pointers each fit into 64 KiB. An invalid message is cheap, because its decoder stops
 * there, too.
 */
export function hasCheapNames(bytes: Buffer): boolean {
  if (bytes.length < HEADER_BYTES) return true;
  let left = Math.max(FEWEST_STEPS, STEPS_A_BYTE * bytes.length);
  /** @returns the end of the name, or -1 for an invalid one */
  const follow = (from: number): number => {
    let end = -1;
    for (let at = from, before = from; left-- > 0;) {
      const length = bytes[at];
      if (length === undefined) return -1;
      if (length === 0) return end < 0 ? at + 1 : end;
      if (length < 0x40) {
        at += 1 + length;
        continue;
      }
      const second = bytes[at + 1];
      if (length < 0xc0 || second === undefined) return -1;
      if (end < 0) end = at + 2;
      const target = ((length & 0x3f) << 8) | second;
      if (target >= before) return -1;
      at = target;
      before = target;
    }
    return -1;
  };
  let at = HEADER_BYTES;
  for (let question = bytes.readUInt16BE(4); question > 0 && at >= 0; question--) {
    at = follow(at);
    if (at >= 0) at += QUESTION_BYTES;
  }
  const records = bytes.readUInt16BE(6) + bytes.readUInt16BE(8) + bytes.readUInt16BE(10);
  for (let record = 0; record < records && at >= 0; record++) {
    at = follow(at);
    if (at < 0 || at + RECORD_BYTES > bytes.length) break;
    const [before, names] = NAMES_IN_DATA.get(bytes.readUInt16BE(at)) ?? [0, 0];
    const start = at + RECORD_BYTES;
    let name = start + before;
    for (let index = 0; index < names && name >= 0; index++) name = follow(name);
    at = start + bytes.readUInt16BE(start - 2);
  }
  return left >= 0;
}
