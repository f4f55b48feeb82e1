import { type DnsMessage, type RecordType, readMessage, TYPE_NUMBERS } from './dns-message.js';
import type { DnsRecordType } from '../checks/dns.js';
import { recordText } from './record-text.js';

export interface Question {
  /** In ASCII, without the final dot. */
  name: string;
  type: RecordType;
  /** Asks for the signatures, too. */
  isSigned?: boolean;
}

/** The result of one query to one server. */
export type Reply =
  | { kind: 'answer'; message: DnsMessage; us: number }
  | { kind: 'silent' }
  | { kind: 'garbled' }
  | { kind: 'refused' }
  /** The response does not fit into a packet; `why` is what happened over TCP. */
  | { kind: 'cut'; why: string }
  /** `ours`: nothing was sent. */
  | { kind: 'unreachable'; code: string; ours: boolean };

/** Whether a reply has the records of the name, or states that there are none. */
export function isUsable(reply: Reply): boolean {
  return reply.kind === 'answer' && ['NOERROR', 'NXDOMAIN'].includes(reply.message.rcode);
}

/** Reads a message that answers the question; null for any other. */
export function readReply(bytes: Buffer, id: number, question: Question): DnsMessage | null {
  const message = readMessage(bytes);
  if (!message?.isResponse || message.id !== id) return null;
  // A server that could not parse the question may return none.
  if (!message.question) return message.rcode === 'NOERROR' ? null : message;
  const { name, type } = message.question;
  return name === plainName(question.name) && type === TYPE_NUMBERS[question.type] ? message : null;
}

/** Lower case, without the final dot. */
export function plainName(name: string): string {
  const lower = name.toLowerCase();
  return lower.length > 1 && lower.endsWith('.') ? lower.slice(0, -1) : lower;
}

/** The data of the records of one type, normalised and in their order. */
export function valuesOf({ answers }: DnsMessage, type: DnsRecordType, name?: string): string[] {
  return answers
    .filter((record) => record.type === TYPE_NUMBERS[type] && (name === undefined || record.name === plainName(name)))
    .map(({ data }) => recordText(type, data));
}

/** The same, sorted: order, case and TTL do not matter. */
export function recordsOf(message: DnsMessage, type: DnsRecordType): string[] {
  return [...new Set(valuesOf(message, type))].sort();
}
