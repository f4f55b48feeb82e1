import type { DnsDetail } from '@watchpost/shared/outcome';
import type { CheckContext } from './describe-ssl.js';
import type { DnsChange, DnsHistoryEntryView } from './dns-schemas.js';

/** A DNS check as the API shows it; `detail` is null where it failed before the query. */
export function describeDns(
  detail: DnsDetail | null,
  {
    checkedAtMs,
    region,
    failureReason,
    changed,
    changes,
  }: CheckContext & { changed: boolean; changes: readonly DnsChange[] },
): DnsHistoryEntryView {
  return {
    checkedAt: new Date(checkedAtMs).toISOString(),
    region,
    resolver: detail?.resolver ?? null,
    records: detail?.records ?? {},
    failures: detail?.failures ?? {},
    responseTime: detail === null || detail.resolver === null ? null : detail.responseUs / 1_000,
    changed,
    changes: [...changes],
    propagation: detail?.propagation ?? null,
    failureReason,
  };
}
