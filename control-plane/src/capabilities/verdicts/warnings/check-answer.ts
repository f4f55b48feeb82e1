import { createHash } from 'node:crypto';
import type { CheckResult, DnsDetail, SslDetail } from '@watchpost/shared/outcome';

/** The part of a detail that is the same from check to check until something changes, and is stored once. */
export type SslAnswer = Omit<SslDetail, 'daysUntilExpiry' | 'ocsp'> & {
  ocsp: { status: string; revokedAt: string | null } | null;
};
export type DnsAnswer = Omit<DnsDetail, 'responseUs'>;
export type CheckAnswer = SslAnswer | DnsAnswer;

/** The stored part of a detail, with a hash of its content. */
export function answerOf(detail: SslDetail | DnsDetail): { hash: string; content: CheckAnswer } {
  const content = contentOf(detail);
  const digest = createHash('sha256')
    .update(JSON.stringify(sorted(content)))
    .digest('hex');
  return { hash: digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), content };
}

function contentOf(detail: SslDetail | DnsDetail): CheckAnswer {
  if (detail.kind === 'dns') {
    const { responseUs: _, ...content } = detail;
    return content;
  }
  // A staple is renewed every few days with the same content: its times are left out.
  const { daysUntilExpiry: _, ocsp, ...content } = detail;
  return { ...content, ocsp: ocsp && { status: ocsp.status, revokedAt: ocsp.revokedAt } };
}

/** Objects with sorted keys: the order in which they are sent is irrelevant. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** Whole days that a certificate has left, rounded down. */
export function daysLeft(validTo: string, atMs: number): number {
  return Math.floor((Date.parse(validTo) - atMs) / 86_400_000);
}

/**
 * Whether later answers are compared with the answer of this check: a certificate that was read, or the records to which a
 * name resolved, as expected or not, of all types or of some.
 */
export function isGoodAnswer({ outcome, detail }: CheckResult): boolean {
  if (!detail) return false;
  if (detail.kind === 'ssl' || outcome.kind === 'up') return true;
  if (outcome.kind !== 'down') return false;
  return outcome.reason === 'dns_mismatch' || Object.values(detail.records).some((values) => values.length > 0);
}
