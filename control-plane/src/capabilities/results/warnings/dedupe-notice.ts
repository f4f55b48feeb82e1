import type { Region } from '@watchpost/shared/region';
import { DAY_MS } from '@watchpost/shared/time';
import type { DnsChange } from './dns-schemas.js';

/** Because of caches, other regions may observe a change this much later than the first one, without a second notice. */
const SAME_CHANGE_MS = 86_400_000;
/** The most changes and certificates that are remembered per monitor. */
const MOST_REMEMBERED = 32;

/** The notices that were sent about a monitor. */
export interface NoticeMemory {
  dns?: { change: string; regions: Region[]; atMs: number }[];
  /** The smallest threshold of which a notice was sent, by the fingerprint of the certificate. */
  certificates?: Record<string, { thresholdDays: number; validToMs: number }>;
}

/**
 * Whether a change that a region observes requires a notice. The same change in another region within a day does not; the
 * same change in the same region again does, because it was undone in between.
 */
export function dedupeDnsNotice(
  before: NoticeMemory,
  { region, changes }: { region: Region; changes: readonly DnsChange[] },
  nowMs: number,
): { memory: NoticeMemory; isNew: boolean } {
  const change = JSON.stringify(changes.map(({ type, added, removed }) => [type, added, removed]));
  const recent = (before.dns ?? []).filter(({ atMs }) => atMs > nowMs - SAME_CHANGE_MS);
  const known = recent.find((notice) => notice.change === change && !notice.regions.includes(region));
  const dns = known
    ? recent.map((notice) => (notice === known ? { ...notice, regions: [...notice.regions, region] } : notice))
    : [...recent, { change, regions: [region], atMs: nowMs }];
  return { memory: { ...before, dns: dns.slice(-MOST_REMEMBERED) }, isNew: !known };
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
    .slice(0, MOST_REMEMBERED - 1);
  return {
    memory: { ...before, certificates: { ...Object.fromEntries(kept), [fingerprint]: { thresholdDays, validToMs } } },
    thresholdDays,
  };
}
