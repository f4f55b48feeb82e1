import { regionOfCode } from '@watchpost/shared/region';
import type { MonitorView } from './monitor-schemas.js';
import type { FindingRow, SeriesRow } from './monitor-view-store.js';

const MOST_WARNINGS = 10;
type AddressView = MonitorView['addresses'][number];

const isOf = (check: FindingRow, series: SeriesRow): boolean =>
  check.kind === series.kind && check.region === series.region;

/** Those that no later conclusive check has superseded. */
export function currentFindings(checks: readonly FindingRow[], series: readonly SeriesRow[]): FindingRow[] {
  return checks.filter((check) =>
    series.some((one) => isOf(check, one) && one.conclusiveMs !== null && check.scheduledMs >= one.conclusiveMs),
  );
}

export function describeAddresses(checks: readonly FindingRow[]): AddressView[] {
  const addresses = new Map<string, AddressView>();
  for (const { region: code, addresses: found } of checks) {
    const region = regionOfCode(code);
    for (const { sinceMs, responseUs, ...one } of found) {
      const view: AddressView = {
        ...one,
        region,
        since: new Date(sinceMs).toISOString(),
        responseTime: responseUs === null ? null : responseUs / 1_000,
      };
      const key = `${region} ${one.address}`;
      addresses.set(key, merged(addresses.get(key), view));
    }
  }
  return [...addresses.values()];
}

/** Those of the last results of these series. */
export function findingsOf(checks: readonly FindingRow[], series: readonly SeriesRow[]): FindingRow[] {
  return checks.filter((check) => series.some((one) => isOf(check, one) && one.lastMs === check.scheduledMs));
}

export function warningsOf(findings: readonly FindingRow[]): string[] {
  return [...new Set(findings.flatMap(({ warnings }) => warnings))].slice(0, MOST_WARNINGS);
}

/** The checks of two kinds found the same address: what fails is shown, with the certificate that either saw. */
function merged(one: AddressView | undefined, other: AddressView): AddressView {
  if (!one) return other;
  const shown = other.status === 'unavailable' && one.status !== 'unavailable' ? other : one;
  return { ...shown, certificateFingerprint: one.certificateFingerprint ?? other.certificateFingerprint };
}
