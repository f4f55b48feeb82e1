import { CHECK_KIND_CODES } from '../check.js';
import { OUTCOME_CODES, type CheckResult } from '../outcome.js';

/** More than the longest result: fourteen numbers of at most eight bytes and an address. */
const MOST_BYTES = 512;
const MOST_ADDRESS_CHARS = 200;

/** Tags of CheckResult, CheckKey and Timings in the wire contract: field number and wire type. */
const VARINT = 0;
const LENGTH_DELIMITED = 2;
const tag = (field: number, wireType: number): number => (field << 3) | wireType;
const KEY = tag(1, LENGTH_DELIMITED);
const TIMINGS = tag(11, LENGTH_DELIMITED);
const ADDRESS = tag(12, LENGTH_DELIMITED);

const scratch = Buffer.alloc(MOST_BYTES);
let at = 0;

/**
 * Encodes a successful result without detail, the most frequent kind, to the same bytes as the generated encoder at a
 * fraction of its cost. Evidence is left out: all assertions passed. Undefined for any other result.
 */
export function encodeHealthy(result: CheckResult): Buffer | undefined {
  const { outcome, detail, timings, key, address } = result;
  if (outcome.kind !== 'up' || outcome.degraded !== undefined || detail) return undefined;
  if (result.addresses || result.addressWarnings || result.steps || result.ping) return undefined;
  if (address !== null && (address.length > MOST_ADDRESS_CHARS || !isAscii(address))) return undefined;
  at = 0;
  const keyAt = open(KEY);
  number(1, key.monitorKey);
  number(2, CHECK_KIND_CODES[key.kind]);
  close(keyAt);
  number(2, Math.round(result.scheduledAtMs));
  number(3, Math.round(result.startedAtMs));
  number(4, uint32(result.totalUs));
  number(5, uint32(result.freshMs));
  number(6, OUTCOME_CODES.up);
  number(10, uint32(result.statusCode ?? 0));
  const timingsAt = open(TIMINGS);
  number(1, uint32(timings.dnsUs));
  number(2, uint32(timings.connectUs));
  number(3, uint32(timings.tlsUs));
  number(4, uint32(timings.firstByteUs));
  number(5, uint32(timings.transferUs));
  number(6, uint32(timings.authUs ?? 0));
  close(timingsAt);
  if (address !== null && address !== '') {
    scratch[at++] = ADDRESS;
    varint(address.length);
    at += scratch.write(address, at, 'latin1');
  }
  number(13, uint32(result.loopLagUs));
  return Buffer.from(scratch.subarray(0, at));
}

/** Writes the tag of a nested message, and leaves a byte for its length, which is below 128. @returns the start of its content */
function open(messageTag: number): number {
  scratch[at] = messageTag;
  at += 2;
  return at;
}

function close(beganAt: number): void {
  scratch[beganAt - 1] = at - beganAt;
}

/** Zero, the default of every field, is omitted. */
function number(field: number, value: number): void {
  if (value === 0) return;
  scratch[at++] = tag(field, VARINT);
  varint(value);
}

/** Base 128, lowest digits first, for whole numbers up to 2^53. */
function varint(value: number): void {
  let rest = value;
  for (; rest >= 0x8000_0000; rest = Math.floor(rest / 128)) scratch[at++] = (rest % 128) | 128;
  for (; rest >= 128; rest >>>= 7) scratch[at++] = (rest & 127) | 128;
  scratch[at++] = rest;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}

/** Rounds and limits a figure to uint32. */
export function uint32(value: number): number {
  return Math.min(0xffff_ffff, Math.max(0, Math.round(value)));
}
