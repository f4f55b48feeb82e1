import type { Registry } from 'prom-client';
import { REGIONS, type Region } from '@watchpost/shared/region';
import type { CheckResult, OutcomeKind } from '@watchpost/shared/outcome';
import { metricsOn } from '../../../platform/telemetry/metrics-on.js';
import type { Verdict } from './series.js';

/** The series of a region. */
export interface RegionSeriesCounts {
  checks: number;
  stale: number;
  failing: number;
  /** Of the series that has been stale for longest, s. */
  silentS: number;
}

/** The metrics of results and verdicts. */
export class ResultsMetrics {
  readonly stored;
  readonly repeated;
  readonly dropped;
  readonly refused;
  readonly ingestSeconds;
  readonly verdicts;
  private readonly stale;
  private readonly unknownMonitors;
  private readonly outcomes;
  private readonly lagSeconds;
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
    this.stored = counter('watchpost_results_stored_total', 'Check results stored, by region', 'region');
    this.repeated = counter(
      'watchpost_results_repeated_total',
      'Check results that were stored already: replayed by an agent, or produced by two agents during a handover',
      'region',
    );
    this.dropped = counter('watchpost_results_dropped_total', 'Check results dropped, by reason', 'region', 'reason');
    this.refused = counter(
      'watchpost_results_refused_total',
      'Check results refused because no agent can have produced them, by reason: not_due, at that time the check was not scheduled',
      'region',
      'reason',
    );
    this.ingestSeconds = histogram(
      'watchpost_results_ingest_seconds',
      'Time to commit a batch of results, including verdicts',
      [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    );
    this.verdicts = counter('watchpost_verdict_changes_total', 'Changes of the verdict on a monitor', 'from', 'to');
    this.stale = gauge('watchpost_results_stale_series', 'Series whose next result is overdue', 'region');
    this.unknownMonitors = gauge(
      'watchpost_monitors_unknown',
      'Enabled monitors whose health is unknown: no region has fresh results',
    );
    this.outcomes = counter(
      'watchpost_results_outcomes_total',
      'Check results received, by outcome',
      'region',
      'outcome',
    );
    this.lagSeconds = histogram(
      'watchpost_results_lag_seconds',
      'Time from the end of the oldest check of a batch to its arrival',
      [0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 600],
      'region',
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

  verdictChanged(from: Verdict, to: Verdict): void {
    if (from !== to) this.verdicts.inc({ from, to });
  }

  /** Counts the outcomes of an agent's batch, and observes the age of its oldest result. */
  countOutcomes(region: Region, results: readonly CheckResult[], nowMs: number): void {
    const counts: Record<OutcomeKind, number> = { up: 0, down: 0, inconclusive: 0 };
    let oldestMs = nowMs;
    for (const { outcome, startedAtMs, totalUs } of results) {
      counts[outcome.kind]++;
      oldestMs = Math.min(oldestMs, startedAtMs + totalUs / 1_000);
    }
    for (const [outcome, count] of Object.entries(counts)) if (count > 0) this.outcomes.inc({ region, outcome }, count);
    if (results.length > 0) this.lagSeconds.observe({ region }, (nowMs - oldestMs) / 1_000);
  }

  /** Counts the results of a batch: stored, dropped, and the rest, which were stored already. */
  countStored(
    reported: readonly { region: Region }[],
    stored: readonly Region[],
    dropped: readonly { region: Region; reason: string }[],
  ): void {
    const repeated = countBy(reported.map(({ region }) => region));
    for (const [region, count] of countBy(stored)) {
      this.stored.inc({ region }, count);
      repeated.set(region, repeated.get(region)! - count);
    }
    for (const { region, reason } of dropped) {
      this.dropped.inc({ region, reason });
      repeated.set(region, repeated.get(region)! - 1);
    }
    for (const [region, count] of repeated) this.repeated.inc({ region }, count);
  }

  /** Sets the counts of series, in the process that sweeps. */
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

  /** Sets which regions are suspect. */
  setSuspects(suspects: readonly Region[]): void {
    for (const { name: region } of REGIONS) this.suspect.set({ region }, suspects.includes(region) ? 1 : 0);
  }
}

function countBy<Item>(items: readonly Item[]): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
