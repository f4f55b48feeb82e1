import type { Availability } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';
import type { MonitorType } from '@watchpost/shared/monitor-types';
import { countText, momentText } from '../../parts/format.js';
import { hasUptime } from '../../parts/has-uptime.js';

type UptimeFacts = Pick<
  Availability,
  'totalChecks' | 'unhealthyChecks' | 'periodStart' | 'periodEnd' | 'uptimePercentage'
> & {
  /** When the monitor was created, ISO 8601. */
  created: string;
  monitorTypes: readonly MonitorType[];
};

/** What the uptime of a range is made of, and what of the range it covers where the monitor is younger. */
export function uptimeMeaning(facts: UptimeFacts): string {
  const { totalChecks, unhealthyChecks, periodStart, periodEnd, created, monitorTypes, uptimePercentage } = facts;
  const [startMs, endMs, createdMs] = [periodStart, periodEnd, created].map((each) => Date.parse(each)) as [
    number,
    number,
    number,
  ];
  const young = createdMs > startMs ? ` Monitored since ${momentText(createdMs, endMs)}.` : '';
  // The time in which its state was known is counted, not checks.
  if (monitorTypes.includes('Heartbeat'))
    return `${uptimePercentage === null ? 'Its state was never known' : 'Of the time in which its state was known'}.${young}`;
  if (totalChecks === 0 && !hasUptime(monitorTypes))
    return `Certificates, names and domains have no availability; their faults are incidents.${young}`;
  if (totalChecks === 0) return `No conclusive checks in this range.${young}`;
  const failed = unhealthyChecks === 0 ? 'none failed' : `${countText(unhealthyChecks, 'check')} failed`;
  return `${countText(totalChecks, 'check')}, ${failed}.${young}`;
}
