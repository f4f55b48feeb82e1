import { decode, type Answer, type DecodedPacket } from 'dns-packet';
import type { DnsRecordType } from '../checks/dns.js';
import { hasCheapNames } from './cheap-names.js';
import { parseUrl } from '../parse-url.js';

export type QuestionType = DnsRecordType | 'SOA';

export interface Question {
  /** In ASCII, without the final dot. */
  name: string;
  type: QuestionType;
}

/** The result of one query to one server. */
export type Reply =
  | { kind: 'answer'; packet: DecodedPacket; us: number }
  | { kind: 'silent' }
  | { kind: 'garbled' }
  | { kind: 'refused' }
  /** The response does not fit into a packet; `why` is what happened over TCP. */
  | { kind: 'cut'; why: string }
  /** `ours`: nothing was sent. */
  | { kind: 'unreachable'; code: string; ours: boolean };

/** The response code: `NOERROR`, `NXDOMAIN`, `SERVFAIL` … */
export function rcodeOf(packet: DecodedPacket): string {
  return (packet as DecodedPacket & { rcode?: string }).rcode ?? 'NOERROR';
}

/** Whether a reply has the records of the name, or states that there are none. */
export function isUsable(reply: Reply): boolean {
  return reply.kind === 'answer' && ['NOERROR', 'NXDOMAIN'].includes(rcodeOf(reply.packet));
}

/** Decodes a packet that answers the question; null for any other. */
export function readReply(bytes: Buffer, id: number, question: Question): DecodedPacket | null {
  // Names point to names: a response of 64 KiB can take millions of steps to decode.
  if (!hasCheapNames(bytes)) return null;
  let packet: DecodedPacket;
  try {
    packet = decode(bytes);
  } catch {
    return null;
  }
  const [asked] = packet.questions ?? [];
  if (packet.type !== 'response' || packet.id !== id) return null;
  // A server that could not parse the question may return none.
  if (!asked) return rcodeOf(packet) === 'NOERROR' ? null : packet;
  return sameName(asked.name, question.name) && asked.type === question.type ? packet : null;
}

export function sameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other);
}

/** Lower case, without the final dot. */
export function plainName(name: string): string {
  const lower = name.toLowerCase();
  return lower.length > 1 && lower.endsWith('.') ? lower.slice(0, -1) : lower;
}

/** The data of the records of one type, normalised and sorted: order, case and TTL do not matter. */
export function recordsOf(packet: DecodedPacket, type: DnsRecordType): string[] {
  const values = (packet.answers ?? []).flatMap((answer) => (answer.type === type ? [valueOf(answer)] : []));
  return [...new Set(values)].sort();
}

/** Normalises a value of a setting as `recordsOf` does; a text is exact, blanks included. */
export function plainValue(type: DnsRecordType, value: string): string {
  if (type === 'TXT') return value;
  const text = value.trim();
  if (type === 'AAAA') return plainV6(text);
  return type === 'A' ? text : plainName(text.replaceAll(/\s+/g, ' '));
}

function valueOf(answer: Answer): string {
  switch (answer.type) {
    case 'MX':
      return `${answer.data.preference ?? 0} ${plainName(answer.data.exchange)}`;
    case 'TXT':
      // RFC 7208 §3.3: the strings of one record are one text.
      return [answer.data]
        .flat()
        .map((part) => part.toString())
        .join('');
    case 'AAAA':
      return plainV6(answer.data);
    case 'CNAME':
    case 'NS':
      return plainName(answer.data);
    case 'A':
      return answer.data;
    default:
      return '';
  }
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
