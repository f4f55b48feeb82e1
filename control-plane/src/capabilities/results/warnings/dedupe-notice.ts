import type { Region } from '@watchpost/shared/region';
import type { DnsChange } from './dns-schemas.js';

/** Other regions may see a change this much later than the first one, caches being what they are: no second message. */
const SAME_CHANGE_MS = 86_400_000;
/** Most changes and certificates that are remembered of a monitor. */
const MOST_REMEMBERED = 32;

/** What people were told of a monitor. */
export interface NoticeMemory {
  dns?: { change: string; regions: Region[]; atMs: number }[];
  /** The smallest threshold told of each certificate, by its fingerprint. */
  certificates?: Record<string, { thresholdDays: number; validToMs: number }>;
}

/**
 * Whether a change that a region sees is news. The same change seen by another region within a day is not;
 * the same change seen by the same region again is: in between it was undone.
 */
export function dedupeDnsNotice(
  before: NoticeMemory,
  { region, changes }: { region: Region; changes: readonly DnsChange[] },
  nowMs: number,
): { memory: NoticeMemory; isNews: boolean } {
  const change = JSON.stringify(changes.map(({ type, added, removed }) => [type, added, removed]));
  const recent = (before.dns ?? []).filter(({ atMs }) => atMs > nowMs - SAME_CHANGE_MS);
  const known = recent.find((told) => told.change === change && !told.regions.includes(region));
  const dns = known
    ? recent.map((told) => (told === known ? { ...told, regions: [...told.regions, region] } : told))
    : [...recent, { change, regions: [region], atMs: nowMs }];
  return { memory: { ...before, dns: dns.slice(-MOST_REMEMBERED) }, isNews: !known };
}

export interface CertificateLeft {
  fingerprint: string;
  daysLeft: number;
  validToMs: number;
}

/**
 * Which threshold people are to hear of: the smallest one that a certificate has crossed, unless they heard of
 * it, or of a smaller one, before. One that is first seen past several thresholds is told of once.
 */
export function dedupeExpiryNotice(
  before: NoticeMemory,
  { fingerprint, daysLeft, validToMs }: CertificateLeft,
  thresholds: readonly number[],
): { memory: NoticeMemory; thresholdDays: number | null } {
  const crossed = thresholds.filter((threshold) => daysLeft <= threshold);
  const thresholdDays = crossed.length === 0 ? null : Math.min(...crossed);
  const told = before.certificates?.[fingerprint]?.thresholdDays ?? Infinity;
  if (thresholdDays === null || told <= thresholdDays) return { memory: before, thresholdDays: null };
  const kept = Object.entries(before.certificates ?? {})
    .filter(([known]) => known !== fingerprint)
    .toSorted(([, a], [, b]) => b.validToMs - a.validToMs)
    .slice(0, MOST_REMEMBERED - 1);
  return {
    memory: { ...before, certificates: { ...Object.fromEntries(kept), [fingerprint]: { thresholdDays, validToMs } } },
    thresholdDays,
  };
}
