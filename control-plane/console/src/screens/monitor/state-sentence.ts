import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { durationMs, momentText } from '../../parts/format.js';

export type Sentenced = Pick<
  MonitorView,
  | 'monitoringStatus'
  | 'healthStatus'
  | 'regions'
  | 'latestIncident'
  | 'latestTestResult'
  | 'lastChecked'
  | 'checkInterval'
  | 'heartbeat'
  | 'monitorTypes'
>;

/**
 * The state of a monitor in a sentence: what is seen from where, and why.
 * @param placeOf the place of a region, for people
 * @param nowMs ms since the epoch
 */
export function stateSentence(monitor: Sentenced, placeOf: (region: string) => string, nowMs: number): string {
  const { monitoringStatus, healthStatus, regions } = monitor;
  if (monitoringStatus !== 'enabled') {
    return `${monitoringStatus === 'paused' ? 'Paused' : 'Disabled'}: nothing is checked, and nobody is notified.`;
  }
  if (monitor.monitorTypes.includes('Domain')) {
    if (healthStatus === null)
      return 'Its registry has not answered: nobody can know whether the domain is registered.';
    return healthStatus === 'available' ? 'The domain is registered.' : `The domain is at fault${reason(monitor)}`;
  }
  if (monitor.heartbeat !== null) return heartbeatSentence(monitor, monitor.heartbeat, nowMs);
  const of = (status: string) => regions.filter((each) => each.status === status).map(({ region }) => placeOf(region));
  const [good, bad, stale, awaited] = [of('available'), of('unavailable'), of('stale'), of('awaitingFirstChecks')];
  if (healthStatus === null) {
    const { latestTestResult, lastChecked, checkInterval } = monitor;
    if (lastChecked === null) return 'Waiting for the first check.';
    const isFresh = nowMs - Date.parse(lastChecked) < 2 * (durationMs(checkInterval) ?? 0);
    if (isFresh && latestTestResult?.failureReason)
      return `First failure, confirming with the next check: ${latestTestResult.failureReason}`;
    if (isFresh) return 'Waiting for more results.';
    return 'No region has a fresh result: nobody can know whether it is available.';
  }
  const unseen =
    stale.length > 0
      ? ` No fresh result from ${listed(stale)}.`
      : awaited.length > 0
        ? ` No result yet from ${listed(awaited)}.`
        : '';
  const why = reason(monitor);
  if (healthStatus === 'available') return `Available from ${share(good, regions.length)}.${unseen}`;
  if (healthStatus === 'unavailable') return `Down in ${share(bad, regions.length)}${why}${unseen}`;
  if (bad.length > 0 && good.length === 0) return `Degraded in ${share(bad, regions.length)}${why}${unseen}`;
  if (bad.length > 0) return `Down in ${listed(bad)}, available in ${listed(good)}${why}${unseen}`;
  return `Available, with a warning${why}${unseen}`;
}

function heartbeatSentence(
  monitor: Sentenced,
  { lastPing, expectedBy }: NonNullable<Sentenced['heartbeat']>,
  nowMs: number,
): string {
  if (lastPing === null) return 'Waiting for the first report.';
  if (monitor.healthStatus === null) return 'Reports may have been lost: nobody can know whether the job ran.';
  if (monitor.healthStatus === 'unavailable') return `Down${reason(monitor)}`;
  const next =
    expectedBy === null ? '' : ` The next report is expected by ${momentText(Date.parse(expectedBy), nowMs)}.`;
  return `Reported in time.${next}`;
}

function reason({ latestIncident, latestTestResult }: Sentenced): string {
  const own = latestIncident?.ended === null ? latestIncident.failureReason : latestTestResult?.failureReason;
  return own ? `: ${own}` : '.';
}

function share(places: readonly string[], all: number): string {
  if (all === 1) return places[0] ?? 'its region';
  if (places.length === all) return `all ${all} regions`;
  return places.length === 1 ? places[0]! : `${places.length} of ${all} regions`;
}

function listed(places: readonly string[]): string {
  return places.length > 3 ? `${places.length} regions` : new Intl.ListFormat('en-GB').format(places);
}
