/** The types of records that something here reads, by their number (IANA). */
export const TYPE_NUMBERS = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  TLSA: 52,
  HTTPS: 65,
  CAA: 257,
} as const;
export type RecordType = keyof typeof TYPE_NUMBERS;

export interface DnsRecord {
  /** In lower case, without the final dot; the root is `.`. */
  name: string;
  /** The same, uncompressed. */
  owner: Buffer;
  type: number;
  class: number;
  ttl: number;
  /** In canonical form (RFC 4034 §6.2): its names are whole and in lower case. */
  data: Buffer;
}

export interface DnsMessage {
  id: number;
  isResponse: boolean;
  isAuthoritative: boolean;
  rcode: string;
  question: { name: string; type: number } | null;
  answers: DnsRecord[];
  authorities: DnsRecord[];
}

/** RFC 1035 §4.1.1. */
export const HEADER_BYTES = 12;
/** The bytes after a name in a question, and in a record up to its data (RFC 1035 §4.1). */
const QUESTION_BYTES = 4;
const RECORD_BYTES = 10;
const CLASS_IN = 1;
const MOST_NAME_BYTES = 255;
const RESPONSE = 0x8000;
const AUTHORITATIVE = 0x0400;
const RECURSION_DESIRED = 0x0100;
/** The resolver sends what it could not validate, too (RFC 4035 §3.2.2). */
const CHECKING_DISABLED = 0x0010;
/** OPT (RFC 6891) with the payload of RFC 9715: the size that nearly every network transports without fragments. */
const EDNS = Buffer.from([0, 0, 41, 1232 >> 8, 1232 & 0xff, 0, 0, 0, 0, 0, 0]);
/** The same that asks for signatures (RFC 3225). */
const EDNS_SIGNED = Buffer.from([0, 0, 41, 1232 >> 8, 1232 & 0xff, 0, 0, 0x80, 0, 0, 0]);
const RCODES = [
  'NOERROR',
  'FORMERR',
  'SERVFAIL',
  'NXDOMAIN',
  'NOTIMP',
  'REFUSED',
  'YXDOMAIN',
  'YXRRSET',
  'NXRRSET',
  'NOTAUTH',
  'NOTZONE',
];
/** Small messages may use any pointers; the names of others have few labels compared with their size. */
const FEWEST_STEPS = 1_000;
const STEPS_A_BYTE = 4;
/** Record data with names that may be compressed: the number of bytes before them, and of names (RFC 3597 §4). */
const NAMES_IN_DATA = new Map<number, readonly [before: number, names: number]>([
  [TYPE_NUMBERS.NS, [0, 1]],
  [TYPE_NUMBERS.CNAME, [0, 1]],
  [TYPE_NUMBERS.SOA, [0, 2]],
  [TYPE_NUMBERS.PTR, [0, 1]],
  [TYPE_NUMBERS.MX, [2, 1]],
  [17, [0, 2]], // RP
  [18, [2, 1]], // AFSDB
  [TYPE_NUMBERS.SRV, [6, 1]],
  [TYPE_NUMBERS.DNAME, [0, 1]],
  [TYPE_NUMBERS.RRSIG, [18, 1]],
]);
const ADDRESS_BYTES: Readonly<Record<number, number>> = { [TYPE_NUMBERS.A]: 4, [TYPE_NUMBERS.AAAA]: 16 };

/** A message that cannot be read. It never leaves this file. */
class UnreadableMessage extends Error {}

export function queryBytes(
  id: number,
  { name, type, isSigned = false }: { name: string; type: RecordType; isSigned?: boolean },
  { edns, recursive }: { edns: boolean; recursive: boolean },
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE((recursive ? RECURSION_DESIRED : 0) | (isSigned ? CHECKING_DISABLED : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(edns ? 1 : 0, 10);
  const kind = Buffer.from([TYPE_NUMBERS[type] >> 8, TYPE_NUMBERS[type] & 0xff, 0, CLASS_IN]);
  return Buffer.concat([header, nameBytes(name), kind, ...(edns ? [isSigned ? EDNS_SIGNED : EDNS] : [])]);
}

/** The uncompressed form of a name, in the case that it has. */
export function nameBytes(name: string): Buffer {
  const labels = (name.match(/(?:\\\d{3}|\\.|[^.\\])+/gs) ?? []).map((label) =>
    Buffer.from(
      label.replaceAll(
        /\\(\d{3})|\\(.)/gs,
        (_, byte?: string, char?: string) => char ?? String.fromCharCode(Number(byte)),
      ),
      'latin1',
    ),
  );
  return Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.alloc(1)]);
}

/**
 * Reads a message in linear time; null for an invalid one. Pointers (RFC 1035 §4.1.4) can lead to pointers: four thousand
 * names of eight thousand pointers each fit into 64 KiB, so that all names together have a limited number of steps.
 */
export function readMessage(bytes: Buffer): DnsMessage | null {
  try {
    return new MessageReader(bytes).read();
  } catch (error) {
    if (error instanceof UnreadableMessage) return null;
    throw error;
  }
}

class MessageReader {
  #at = 0;
  #stepsLeft: number;

  constructor(private readonly bytes: Buffer) {
    this.#stepsLeft = Math.max(FEWEST_STEPS, STEPS_A_BYTE * bytes.length);
  }

  read(): DnsMessage {
    const [id, flags, questions, answers, authorities, additionals] = Array.from({ length: 6 }, () => this.#uint16());
    const asked = Array.from({ length: questions! }, () => {
      const name = nameText(this.#name());
      const type = this.#uint16();
      this.#skip(QUESTION_BYTES - 2);
      return { name, type };
    });
    const message = {
      id: id!,
      isResponse: (flags! & RESPONSE) !== 0,
      isAuthoritative: (flags! & AUTHORITATIVE) !== 0,
      rcode: RCODES[flags! & 0xf] ?? `RCODE_${flags! & 0xf}`,
      question: asked[0] ?? null,
      answers: this.#records(answers!),
      authorities: this.#records(authorities!),
    };
    // They are read, too: a message is valid as a whole or not at all.
    this.#records(additionals!);
    return message;
  }

  #records(count: number): DnsRecord[] {
    const records: DnsRecord[] = [];
    for (let index = 0; index < count; index++) {
      const owner = this.#name();
      const start = this.#skip(RECORD_BYTES);
      const type = this.bytes.readUInt16BE(start);
      const end = this.#at + this.bytes.readUInt16BE(start + 8);
      if (end > this.bytes.length) throw new UnreadableMessage();
      const data = this.#data(type, end);
      records.push({
        name: nameText(owner),
        owner,
        type,
        class: this.bytes.readUInt16BE(start + 2),
        ttl: this.bytes.readUInt32BE(start + 4),
        data,
      });
      this.#at = end;
    }
    return records;
  }

  #data(type: number, end: number): Buffer {
    const start = this.#at;
    const [before, names] = NAMES_IN_DATA.get(type) ?? [0, 0];
    const length = end - start;
    if (type in ADDRESS_BYTES && length !== ADDRESS_BYTES[type]) throw new UnreadableMessage();
    if (names === 0) return this.bytes.subarray(start, end);
    const parts = [this.bytes.subarray(start, this.#skip(before) + before)];
    for (let index = 0; index < names; index++) parts.push(this.#name());
    if (this.#at > end) throw new UnreadableMessage();
    return Buffer.concat([...parts, this.bytes.subarray(this.#at, end)]);
  }

  /** The name here, uncompressed and in lower case. */
  #name(): Buffer {
    const labels: Buffer[] = [];
    let length = 1;
    let end: number | null = null;
    for (let at = this.#at, before = at; ;) {
      if (this.#stepsLeft-- <= 0 || at >= this.bytes.length) throw new UnreadableMessage();
      const first = this.bytes[at]!;
      if (first === 0) {
        this.#at = end ?? at + 1;
        return Buffer.concat([...labels, Buffer.alloc(1)]);
      }
      if (first < 0x40) {
        length += 1 + first;
        if (length > MOST_NAME_BYTES || at + first >= this.bytes.length) throw new UnreadableMessage();
        labels.push(inLowerCase(this.bytes.subarray(at, at + 1 + first)));
        at += 1 + first;
        continue;
      }
      const target = ((first & 0x3f) << 8) | (this.bytes[at + 1] ?? 0);
      // A pointer leads to an earlier place: names cannot go in circles.
      if (first < 0xc0 || at + 1 >= this.bytes.length || target >= before) throw new UnreadableMessage();
      end ??= at + 2;
      at = before = target;
    }
  }

  #uint16(): number {
    return this.bytes.readUInt16BE(this.#skip(2));
  }

  /** @returns where the skipped bytes begin */
  #skip(count: number): number {
    const start = this.#at;
    this.#at += count;
    if (this.#at > this.bytes.length) throw new UnreadableMessage();
    return start;
  }
}

/** A name or a label of it in lower case; the length of a label is below the letters. */
export function inLowerCase(label: Buffer): Buffer {
  return label.some(isCapital) ? Buffer.from(label.map((byte) => (isCapital(byte) ? byte + 0x20 : byte))) : label;
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

/** The text of an uncompressed name, with escapes where bytes are no plain characters (RFC 1035 §5.1). */
export function nameText(name: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; at < name.length && name[at] !== 0; at += 1 + name[at]!)
    labels.push(escaped(name.subarray(at + 1, at + 1 + name[at]!), /[^!-~]|["$().;@\\]/g));
  return labels.length === 0 ? '.' : labels.join('.');
}

/** The text of bytes; those that `special` finds get a backslash, or are three digits where they are not printable ASCII. */
export function escaped(bytes: Buffer, special: RegExp): string {
  return bytes
    .toString('latin1')
    .replaceAll(special, (char) =>
      char > ' ' && char <= '~' ? `\\${char}` : `\\${String(char.charCodeAt(0)).padStart(3, '0')}`,
    );
}
