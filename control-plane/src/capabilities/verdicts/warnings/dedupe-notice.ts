import { createHash } from 'node:crypto';
import type { Region } from '@watchpost/shared/region';
import { DAY_MS } from '@watchpost/shared/time';
import type { DnsChange } from './dns-schemas.js';

/** Because of caches, other regions may observe a change this much later than the first one, without a second notice. */
const SAME_CHANGE_MS = 86_400_000;
/** The most certificates and changed values that are remembered per monitor. */
const MOST_CERTIFICATES = 32;
const MOST_CHANGED_VALUES = 256;

export interface NoticeMemory {
  /** One for each added or removed value; `change` is a digest of it. */
  dns?: { change: string; regions: Region[]; atMs: number }[];
  /** The smallest threshold of which a notice was sent, by the fingerprint of the certificate. */
  certificates?: Record<string, { thresholdDays: number; validToMs: number }>;
}

/**
 * The part of the changes that a region observes which requires a notice. A value that was added or removed in another region
 * within a day does not; the same in the same region again does, because it was undone in between.
 */
export function dedupeDnsNotice(
  before: NoticeMemory,
  { region, changes }: { region: Region; changes: readonly DnsChange[] },
  nowMs: number,
): { memory: NoticeMemory; changes: DnsChange[] } {
  const dns = (before.dns ?? []).filter(({ atMs }) => atMs > nowMs - SAME_CHANGE_MS);
  const isNew = (type: string, how: 'added' | 'removed') => (value: string) => {
    const change = createHash('sha256')
      .update(JSON.stringify([type, how, value]))
      .digest('base64url')
      .slice(0, 22);
    const index = dns.findIndex((notice) => notice.change === change && !notice.regions.includes(region));
    const known = dns[index];
    if (known) dns[index] = { ...known, regions: [...known.regions, region] };
    else dns.push({ change, regions: [region], atMs: nowMs });
    return !known;
  };
  const fresh = changes.map(({ type, added, removed }) => ({
    type,
    added: added.filter(isNew(type, 'added')),
    removed: removed.filter(isNew(type, 'removed')),
  }));
  return {
    memory: { ...before, dns: dns.slice(-MOST_CHANGED_VALUES) },
    changes: fresh.filter(({ added, removed }) => added.length + removed.length > 0),
  };
}

export interface CertificateLeft {
  fingerprint: string;
  daysLeft: number;
  validFromMs: number;
  validToMs: number;
}

/** A threshold over this share of a certificate's lifetime is not reported: one that is renewed in time crosses it, too. */
const REPORTED_SHARE = 1 / 3;

/**
 * The threshold that requires a notice: the smallest one that a certificate has crossed, unless a notice of it or of a
 * smaller one was sent. A certificate that is first read past several thresholds causes one notice.
 */
export function dedupeExpiryNotice(
  before: NoticeMemory,
  { fingerprint, daysLeft, validFromMs, validToMs }: CertificateLeft,
  thresholds: readonly number[],
): { memory: NoticeMemory; thresholdDays: number | null } {
  const mostDays = ((validToMs - validFromMs) * REPORTED_SHARE) / DAY_MS;
  const crossed = thresholds.filter((threshold) => daysLeft <= threshold && threshold <= mostDays);
  const thresholdDays = crossed.length === 0 ? null : Math.min(...crossed);
  const notified = before.certificates?.[fingerprint]?.thresholdDays ?? Infinity;
  if (thresholdDays === null || notified <= thresholdDays) return { memory: before, thresholdDays: null };
  const kept = Object.entries(before.certificates ?? {})
    .filter(([known]) => known !== fingerprint)
    .toSorted(([, a], [, b]) => b.validToMs - a.validToMs)
    .slice(0, MOST_CERTIFICATES - 1);
  return {
    memory: { ...before, certificates: { ...Object.fromEntries(kept), [fingerprint]: { thresholdDays, validToMs } } },
    thresholdDays,
  };
}
