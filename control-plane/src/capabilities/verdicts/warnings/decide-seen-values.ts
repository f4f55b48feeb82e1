import { DNS_RECORD_TYPES, type DnsRecordType } from '@watchpost/shared/checks/dns';
import type { DnsFailures, DnsRecords } from '@watchpost/shared/outcome';
import { DAY_MS } from '@watchpost/shared/time';
import type { DnsChange } from './dns-schemas.js';

/** A value that was seen within this time is no addition: name servers hand out changing subsets of their records. */
const SEEN_MS = DAY_MS;
/** A value is removed when so many answers in a row have been without it. */
const MOST_MISSED = 10;
/** The most values that are remembered, and the most characters of them; the longest unseen are forgotten first. */
const MOST_VALUES = 256;
const MOST_CHARS = 32_768;

/** A value that the latest answer lacks, or whose removal was reported although it is back. */
export interface SeenValue {
  type: DnsRecordType;
  value: string;
  seenMs: number;
  /** Answers in a row without it. */
  missed: number;
  /** When it was last missing often enough to be removed; null before. */
  removedMs: number | null;
  /** Whether its present absence was not reported, because it takes turns. */
  isUnreported: boolean;
}

/** What is known of a name beside its latest answer. */
export interface SeenValues {
  values: SeenValue[];
  /** The latest records of types that failed since. */
  held: DnsRecords;
}

export interface Answered {
  records: DnsRecords;
  failures?: DnsFailures;
}

/**
 * The changes that an answer makes to what is known of a name. A type that fails, or that is queried for the first time,
 * changes nothing. A value that comes back after its removal was reported is one of many that take turns: it is removed anew
 * only once it was there for a day, or is missing for one.
 * @param before the answer before, at `beforeMs`
 * @returns null for `seen` where the answer is all that is known
 */
export function decideSeenValues(
  before: { records: DnsRecords; atMs: number; seen: SeenValues | null },
  after: Answered,
  nowMs: number,
): { changes: DnsChange[]; seen: SeenValues | null } {
  const known: DnsRecords = { ...before.seen?.held, ...before.records };
  const changes: DnsChange[] = [];
  const values: SeenValue[] = [];
  const held: DnsRecords = {};
  for (const type of DNS_RECORD_TYPES) {
    const own = (before.seen?.values ?? []).filter((one) => one.type === type);
    const [was, is] = [known[type], after.records[type]];
    if (!was) continue;
    if (is) {
      const decided = decideType(type, { was, own, beforeMs: before.atMs }, is, nowMs);
      if (decided.added.length + decided.removed.length > 0)
        changes.push({ type, added: decided.added, removed: decided.removed });
      values.push(...decided.values);
    } else if (after.failures?.[type] !== undefined) {
      held[type] = was;
      values.push(...own);
    }
  }
  const kept = newest(values);
  return { changes, seen: kept.length === 0 && Object.keys(held).length === 0 ? null : { values: kept, held } };
}

function decideType(
  type: DnsRecordType,
  { was, own, beforeMs }: { was: readonly string[]; own: readonly SeenValue[]; beforeMs: number },
  is: readonly string[],
  nowMs: number,
): { added: string[]; removed: string[]; values: SeenValue[] } {
  const present = new Set(is);
  const former = new Set(was);
  const remembered = new Map(own.map((one) => [one.value, one]));
  const values: SeenValue[] = [];
  const removed: string[] = [];
  for (const value of new Set([...was, ...remembered.keys()])) {
    const one = remembered.get(value) ?? {
      type,
      value,
      seenMs: beforeMs,
      missed: 0,
      removedMs: null,
      isUnreported: false,
    };
    if (present.has(value)) {
      if (one.removedMs !== null && nowMs - one.removedMs <= SEEN_MS)
        values.push({ ...one, seenMs: nowMs, missed: 0, isUnreported: false });
      continue;
    }
    const missed = one.missed + 1;
    if (missed === MOST_MISSED && one.removedMs === null) removed.push(value);
    const removedMs = missed === MOST_MISSED ? nowMs : one.removedMs;
    const isUnreported = missed === MOST_MISSED ? one.removedMs !== null : one.isUnreported;
    const isForgotten = missed >= MOST_MISSED && nowMs - one.seenMs > SEEN_MS;
    if (!isForgotten) values.push({ ...one, missed, removedMs, isUnreported });
    else if (isUnreported) removed.push(value);
  }
  const isKnown = (value: string): boolean => {
    const one = remembered.get(value);
    return one !== undefined && (one.missed < MOST_MISSED || nowMs - one.seenMs <= SEEN_MS);
  };
  const added = [...present].filter((value) => !former.has(value) && !isKnown(value));
  return { added: added.toSorted(), removed: removed.toSorted(), values };
}

function newest(values: readonly SeenValue[]): SeenValue[] {
  let chars = 0;
  return values
    .toSorted((one, other) => other.seenMs - one.seenMs)
    .filter(({ value }, index) => index < MOST_VALUES && (chars += value.length) <= MOST_CHARS);
}
