import type { Registry } from 'prom-client';
import { REGIONS, type Region } from '@watchpost/shared/region';
import { metricsOn } from '@watchpost/shared/metrics-on';
import type { Verdict } from './series.js';

export interface RegionSeriesCounts {
  checks: number;
  stale: number;
  failing: number;
  /** Of the series that has been stale for longest, s. */
  silentS: number;
}

/** The metrics of verdicts and of the series from which they follow. */
export class VerdictMetrics {
  private readonly verdicts;
  private readonly stale;
  private readonly unknownMonitors;
  private readonly checks;
  private readonly failing;
  private readonly silentSeconds;
  private readonly suspect;
  private readonly monitors;
  readonly opinions;
  readonly sweepSeconds;
  readonly judgementFailures;
  readonly heldIncidents;

  constructor(registry: Registry) {
    const { counter, gauge, histogram } = metricsOn(registry);
    this.verdicts = counter('watchpost_verdict_changes_total', 'Changes of the verdict on a monitor', 'from', 'to');
    this.stale = gauge('watchpost_results_stale_series', 'Series whose next result is overdue', 'region');
    this.unknownMonitors = gauge(
      'watchpost_monitors_unknown',
      'Enabled monitors whose health is unknown: no region has fresh results',
    );
    const ofRegion = (name: string, help: string) => gauge(name, help, 'region');
    this.checks = ofRegion('watchpost_region_checks', 'Checks assigned to the region');
    this.failing = ofRegion(
      'watchpost_region_failing_checks',
      'Checks of the region that fail according to fresh results',
    );
    this.silentSeconds = ofRegion(
      'watchpost_region_oldest_silence_seconds',
      'How long the result of the longest silent check of the region has been overdue',
    );
    this.suspect = ofRegion('watchpost_region_suspect', '1 while the region is suspect: its failures do not count');
    this.monitors = gauge('watchpost_monitors', 'Enabled monitors by health; unknown: no fresh results', 'health');
    this.opinions = counter(
      'watchpost_second_opinions_total',
      'Second opinions on first failures, by outcome, or by the reason why there was none',
      'outcome',
    );
    this.judgementFailures = counter(
      'watchpost_region_judgement_failures_total',
      'Failed attempts to determine the suspect regions; the previous state stays in force',
    );
    this.heldIncidents = gauge(
      'watchpost_incidents_held',
      'Monitors whose first failure waits for an examination of its region before it opens an incident, at most 2,000',
    );
    this.sweepSeconds = histogram(
      'watchpost_silence_sweep_seconds',
      'Time of one sweep for overdue results',
      [0.005, 0.02, 0.05, 0.1, 0.5, 1, 5],
    );
  }

  countChanges(changes: readonly { from: Verdict; to: Verdict }[]): void {
    for (const { from, to } of changes) if (from !== to) this.verdicts.inc({ from, to });
  }

  setSeries(regions: ReadonlyMap<Region, RegionSeriesCounts>): void {
    for (const { name: region } of REGIONS) {
      const { checks = 0, stale = 0, failing = 0, silentS = 0 } = regions.get(region) ?? {};
      this.checks.set({ region }, checks);
      this.stale.set({ region }, stale);
      this.failing.set({ region }, failing);
      this.silentSeconds.set({ region }, Math.max(0, silentS));
    }
  }

  /** Sets the counts of enabled monitors by `healthStatus` or `unknown`, in the process that sweeps. */
  setMonitors(monitorsByHealth: ReadonlyMap<string, number>): void {
    for (const health of ['available', 'degraded', 'unavailable', 'unknown'])
      this.monitors.set({ health }, monitorsByHealth.get(health) ?? 0);
    this.unknownMonitors.set(monitorsByHealth.get('unknown') ?? 0);
  }

  /** Another process sweeps: it has the counts. */
  forgetSweep(): void {
    for (const gauge of [this.checks, this.stale, this.failing, this.silentSeconds, this.monitors, this.suspect])
      gauge.reset();
    this.unknownMonitors.remove();
    this.heldIncidents.remove();
  }

  setSuspects(suspects: readonly Region[]): void {
    for (const { name: region } of REGIONS) this.suspect.set({ region }, suspects.includes(region) ? 1 : 0);
  }
}
