import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { REGIONS, type Region } from '@watchpost/shared/region';
import type { CheckResult, OutcomeKind } from '@watchpost/shared/outcome';
import type { DropReason } from './ingest/arrange-batch.js';
import type { StandingCounts } from './verdict/silence-store.js';
import type { Verdict } from './verdict/verdict.js';

/** What results and verdicts show on `/metrics`. */
export class ResultsMetrics {
  readonly stored: Counter<'region'>;
  readonly repeated: Counter<'region'>;
  readonly dropped: Counter<'region' | 'reason'>;
  readonly ingestSeconds: Histogram;
  readonly verdicts: Counter<'from' | 'to'>;
  private readonly stale: Gauge<'region'>;
  private readonly unknownMonitors: Gauge;
  private readonly outcomes: Counter<'region' | 'outcome'>;
  private readonly lagSeconds: Histogram<'region'>;
  private readonly checks: Gauge<'region'>;
  private readonly failing: Gauge<'region'>;
  private readonly silentSeconds: Gauge<'region'>;
  private readonly suspect: Gauge<'region'>;
  private readonly monitors: Gauge<'health'>;
  readonly opinions: Counter<'outcome'>;
  readonly sweepSeconds: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.stored = new Counter({
      name: 'watchpost_results_stored_total',
      help: 'Check results stored, by region',
      labelNames: ['region'],
      registers,
    });
    this.repeated = new Counter({
      name: 'watchpost_results_repeated_total',
      help: 'Check results that were there already: replayed by an agent, or made by two agents during a hand-over',
      labelNames: ['region'],
      registers,
    });
    this.dropped = new Counter({
      name: 'watchpost_results_dropped_total',
      help: 'Check results not kept, by reason',
      labelNames: ['region', 'reason'],
      registers,
    });
    this.ingestSeconds = new Histogram({
      name: 'watchpost_results_ingest_seconds',
      help: 'Time to commit a batch of results, verdicts included',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.verdicts = new Counter({
      name: 'watchpost_verdict_changes_total',
      help: 'Changes of the verdict on a monitor',
      labelNames: ['from', 'to'],
      registers,
    });
    this.stale = new Gauge({
      name: 'watchpost_results_stale_series',
      help: 'Monitors of a region whose next result is overdue: nobody can tell how they are there',
      labelNames: ['region'],
      registers,
    });
    this.unknownMonitors = new Gauge({
      name: 'watchpost_monitors_unknown',
      help: 'Enabled monitors of which no region can tell how they are',
      registers,
    });
    this.outcomes = new Counter({
      name: 'watchpost_results_outcomes_total',
      help: 'Check results taken in, by what they say',
      labelNames: ['region', 'outcome'],
      registers,
    });
    this.lagSeconds = new Histogram({
      name: 'watchpost_results_lag_seconds',
      help: 'From the end of the oldest check of a batch to its arrival',
      labelNames: ['region'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 600],
      registers,
    });
    const ofRegion = (name: string, help: string) => new Gauge({ name, help, labelNames: ['region'], registers });
    this.checks = ofRegion('watchpost_region_checks', 'Checks that the region is to run');
    this.failing = ofRegion('watchpost_region_failing_checks', 'Checks that fail in the region by fresh results');
    this.silentSeconds = ofRegion(
      'watchpost_region_oldest_silence_seconds',
      'For how long the longest silent check of the region has been overdue',
    );
    this.suspect = ofRegion(
      'watchpost_region_suspect',
      '1 while what fails in the region is not believed: its agents seem to be blind',
    );
    this.monitors = new Gauge({
      name: 'watchpost_monitors',
      help: 'Enabled monitors by health; unknown: nobody can tell',
      labelNames: ['health'],
      registers,
    });
    this.opinions = new Counter({
      name: 'watchpost_second_opinions_total',
      help: 'Confirming runs at first failures, by what they said or why there was none',
      labelNames: ['outcome'],
      registers,
    });
    this.sweepSeconds = new Histogram({
      name: 'watchpost_silence_sweep_seconds',
      help: 'Time of a sweep for overdue results',
      buckets: [0.005, 0.02, 0.05, 0.1, 0.5, 1, 5],
      registers,
    });
  }

  countDropped(region: Region, dropped: ReadonlyMap<DropReason, number>): void {
    for (const [reason, count] of dropped) this.dropped.inc({ region, reason }, count);
  }

  verdictChanged(from: Verdict, to: Verdict): void {
    if (from !== to) this.verdicts.inc({ from, to });
  }

  /** Counts what came of a region's checks, and how late the oldest of a batch is. */
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

  /** Sets how everything stands, as counted in the database: the same on every process. */
  setStandings({ regions, monitorsByHealth }: StandingCounts): void {
    for (const { name: region } of REGIONS) {
      const { checks = 0, stale = 0, failing = 0, silentS = 0 } = regions.get(region) ?? {};
      this.checks.set({ region }, checks);
      this.stale.set({ region }, stale);
      this.failing.set({ region }, failing);
      this.silentSeconds.set({ region }, Math.max(0, silentS));
    }
    for (const health of ['available', 'degraded', 'unavailable', 'unknown'])
      this.monitors.set({ health }, monitorsByHealth.get(health) ?? 0);
    this.unknownMonitors.set(monitorsByHealth.get('unknown') ?? 0);
  }

  /** Sets which regions are not believed. */
  setSuspects(suspects: readonly Region[]): void {
    for (const { name: region } of REGIONS) this.suspect.set({ region }, suspects.includes(region) ? 1 : 0);
  }
}
