import { isIP } from 'node:net';
import type { PingFigures } from '@watchpost/shared/outcome';
import { canonicalAddress } from './canonical-address.js';

/** What was sent, and until when an answer counts. */
export interface SentPings {
  /** An address. */
  host: string;
  count: number;
  size: number;
  waitMs: number;
}

/** What the program ping reported. */
export interface PingReading {
  figures: PingFigures;
  /** The first report that packets cannot arrive, and who sent it. */
  refusal: { router: string; why: string } | null;
}

/** The header of an echo message, which its length has. */
const HEADER_BYTES = 8;
/** The lines of iputils for an answer, which end here where nothing is wrong with it. */
const ANSWER = /^(\d{1,5}) bytes from ([0-9a-f.:]+): icmp_seq=(\d{1,5}) ttl=\d{1,3} time=(\d{1,7}(?:\.\d{1,6})?) ms$/;
const REFUSAL = /^From ([0-9a-f.:]+):? icmp_seq=\d{1,5} ([A-Z][\w ,:/()-]{2,80})$/;

/**
 * Reads the output of ping of iputils. Each packet has at most one answer, of its length and from the address that it was sent to; what is
 * late, comes twice, is damaged or is no such line does not count.
 */
export function readPing(output: string, { host, count, size, waitMs }: SentPings): PingReading {
  const times = new Map<number, number>();
  let refusal: PingReading['refusal'] = null;
  for (const line of output.split('\n')) {
    const [, bytes, from, number, time] = ANSWER.exec(line) ?? [];
    if (bytes !== undefined) {
      const [sequence, ms] = [Number(number), Number(time)];
      const isOurs = Number(bytes) === size + HEADER_BYTES && isSame(from!, host) && sequence >= 1 && sequence <= count;
      if (isOurs && ms <= waitMs && !times.has(sequence)) times.set(sequence, ms);
      continue;
    }
    const [, router, why] = REFUSAL.exec(line) ?? [];
    if (router !== undefined && isIP(router) !== 0) refusal ??= { router, why: why! };
  }
  return { figures: figuresOf(count, [...times.values()]), refusal };
}

/** Both as the system writes them; a target may have been written in another way. */
function isSame(from: string, host: string): boolean {
  return isIP(from) === isIP(host) && (from === host || canonicalAddress(from) === canonicalAddress(host));
}

function figuresOf(sent: number, times: readonly number[]): PingFigures {
  const received = times.length;
  if (received === 0) return { sent, received, minMs: null, averageMs: null, maxMs: null, stddevMs: null };
  const average = times.reduce((sum, ms) => sum + ms, 0) / received;
  const variance = times.reduce((sum, ms) => sum + (ms - average) ** 2, 0) / received;
  return {
    sent,
    received,
    minMs: Math.min(...times),
    averageMs: toMicros(average),
    maxMs: Math.max(...times),
    stddevMs: toMicros(Math.sqrt(variance)),
  };
}

function toMicros(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
