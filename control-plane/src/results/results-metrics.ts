import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { REGIONS, type Region } from '@watchpost/shared/region';
import type { DropReason } from './arrange-batch.js';
import type { Verdict } from './verdict.js';

/** What results and verdicts show on `/metrics`. */
export class ResultsMetrics {
  readonly stored: Counter<'region'>;
  readonly repeated: Counter<'region'>;
  readonly dropped: Counter<'region' | 'reason'>;
  readonly ingestSeconds: Histogram;
  readonly verdicts: Counter<'from' | 'to'>;
  private readonly stale: Gauge<'region'>;
  private readonly unknownMonitors: Gauge;
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

  /** Sets what is overdue, as counted in the database: the same on every process. */
  setSilence(staleByRegion: ReadonlyMap<Region, number>, unknownMonitors: number): void {
    for (const { name } of REGIONS) this.stale.set({ region: name }, staleByRegion.get(name) ?? 0);
    this.unknownMonitors.set(unknownMonitors);
  }
}
