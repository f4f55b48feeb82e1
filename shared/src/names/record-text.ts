import { parseUrl } from '../parse-url.js';
import type { DnsRecordType } from '../checks/dns.js';
import { escaped, nameText } from './dns-message.js';

/** Data that is too short for its type, or has more than it may. */
class UnreadableData extends Error {}

/** The data of a record in presentation format, with names in lower case and without the final dot. */
export function recordText(type: DnsRecordType, data: Buffer): string {
  const reader = new DataReader(data);
  try {
    const text = WRITERS[type](reader);
    if (reader.hasMore) throw new UnreadableData();
    return text;
  } catch (error) {
    if (error instanceof UnreadableData) return `\\# ${data.length} ${data.toString('hex')}`.trim();
    throw error;
  }
}

/** Normalises a value of a setting as `recordText` writes it; a text is exact, blanks included. */
export function plainValue(type: DnsRecordType, value: string): string {
  const words = value.trim().split(/\s+/);
  switch (type) {
    case 'TXT':
      return value;
    case 'AAAA':
      return plainV6(value.trim());
    case 'DS':
    case 'TLSA':
      return [...words.slice(0, 3), words.slice(3).join('').toUpperCase()].join(' ');
    case 'CAA': {
      const [, flags, tag, rest] = /^(\d+)\s+(\S+)\s+(.*)$/s.exec(value.trim()) ?? [];
      return rest === undefined
        ? value
        : `${flags} ${tag!.toLowerCase()} ${quoted(Buffer.from(unquotedText(rest) ?? rest))}`;
    }
    case 'HTTPS':
      return words.map((word, index) => (index < 2 ? plainWord(word) : word.replace(/="(.*)"$/, '=$1'))).join(' ');
    default:
      return words.map(plainWord).join(' ');
  }
}

/** A name, or a number. */
function plainWord(word: string): string {
  return word === '.' ? word : word.toLowerCase().replace(/\.$/, '');
}

/** Reads the fields of the data one after the other. */
class DataReader {
  #at = 0;

  constructor(private readonly data: Buffer) {}

  get hasMore(): boolean {
    return this.#at < this.data.length;
  }

  bytes(count: number): Buffer {
    const start = this.#at;
    this.#at += count;
    if (this.#at > this.data.length) throw new UnreadableData();
    return this.data.subarray(start, this.#at);
  }

  rest(): Buffer {
    return this.bytes(this.data.length - this.#at);
  }

  /** A number of so many bytes. */
  number(bytes: number): number {
    return this.bytes(bytes).readUIntBE(0, bytes);
  }

  /** The bytes of a string, whose length comes first. */
  string(): Buffer {
    return this.bytes(this.number(1));
  }

  name(): string {
    const start = this.#at;
    for (let length = this.number(1); length > 0; length = this.number(1)) this.bytes(length);
    return nameText(this.data.subarray(start, this.#at));
  }
}

const name = (data: DataReader): string => data.name();
const hex = (data: Buffer): string => data.toString('hex').toUpperCase();
/** Numbers of so many bytes each, and hex digits: the form of digests. */
const digest =
  (...bytes: number[]) =>
  (data: DataReader): string =>
    [...bytes.map((count) => data.number(count)), hex(data.rest())].join(' ');

const WRITERS: Readonly<Record<DnsRecordType, (data: DataReader) => string>> = {
  A: (data) => [...data.bytes(4)].join('.'),
  AAAA: (data) => plainV6(data.bytes(16).toString('hex').match(/.{4}/g)!.join(':')),
  CNAME: name,
  NS: name,
  PTR: name,
  MX: (data) => `${data.number(2)} ${data.name()}`,
  SRV: (data) => `${data.number(2)} ${data.number(2)} ${data.number(2)} ${data.name()}`,
  SOA: (data) => [data.name(), data.name(), ...Array.from({ length: 5 }, () => data.number(4))].join(' '),
  // RFC 7208 §3.3: the strings of one record are one text.
  TXT: (data) => {
    const parts: Buffer[] = [];
    while (data.hasMore) parts.push(data.string());
    return Buffer.concat(parts).toString();
  },
  CAA: (data) => `${data.number(1)} ${escaped(data.string(), /[^!-~]/g).toLowerCase()} ${quoted(data.rest())}`,
  DS: digest(2, 1, 1),
  TLSA: digest(1, 1, 1),
  HTTPS: (data) => {
    const parts = [String(data.number(2)), data.name()];
    while (data.hasMore) {
      const key = data.number(2);
      const value = data.bytes(data.number(2));
      const [word, write] = SERVICE_PARAMETERS[key] ?? [`key${key}`, (rest: DataReader) => parameterText(rest.rest())];
      const reader = new DataReader(value);
      const text = write(reader);
      if (reader.hasMore) throw new UnreadableData();
      parts.push(text === '' ? word : `${word}=${text}`);
    }
    return parts.join(' ');
  },
};

const listOf =
  (write: (data: DataReader) => string) =>
  (data: DataReader): string => {
    const values: string[] = [];
    while (data.hasMore) values.push(write(data));
    return values.join(',');
  };
const parameterText = (bytes: Buffer): string => escaped(bytes, /[^!-~]|["\\]/g);
/** By their key (RFC 9460 §14.3.2). */
const SERVICE_PARAMETERS: Readonly<Record<number, readonly [string, (data: DataReader) => string]>> = {
  0: ['mandatory', listOf((data) => nameOfParameter(data.number(2)))],
  1: ['alpn', listOf((data) => escaped(data.string(), /[^!-~]|[",\\]/g))],
  2: ['no-default-alpn', () => ''],
  3: ['port', (data) => String(data.number(2))],
  4: ['ipv4hint', listOf((data) => WRITERS.A(data))],
  5: ['ech', (data) => data.rest().toString('base64')],
  6: ['ipv6hint', listOf((data) => WRITERS.AAAA(data))],
  7: ['dohpath', (data) => parameterText(data.rest())],
};

function nameOfParameter(key: number): string {
  return SERVICE_PARAMETERS[key]?.[0] ?? `key${key}`;
}

function quoted(bytes: Buffer): string {
  return `"${escaped(bytes, /[^ -~]|["\\]/g)}"`;
}

/** One or more quoted strings, as `dig` prints the text of a record. */
const QUOTED = /^\s*"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*\s*$/s;
/** The strings of it; a backslash precedes a character, or the three digits of a byte (RFC 1035 §5.1). */
const STRING = /"((?:[^"\\]|\\.)*)"/gs;

/** The text that quoted strings mean; null for a text that is none of them. */
export function unquotedText(text: string): string | null {
  if (!QUOTED.test(text)) return null;
  const parts = [...text.matchAll(STRING)].map(([, inner]) =>
    [...inner!.matchAll(/\\(\d{3})|\\(.)|([^\\]+)/gs)].map(([, byte, escaped, plain]) =>
      byte !== undefined && Number(byte) < 256 ? Buffer.from([Number(byte)]) : Buffer.from(escaped ?? plain ?? byte!),
    ),
  );
  return Buffer.concat(parts.flat()).toString();
}

/** The notation of RFC 5952, by the URL standard. */
function plainV6(text: string): string {
  return parseUrl(`http://[${text}]/`)?.hostname.slice(1, -1) ?? text.toLowerCase();
}
