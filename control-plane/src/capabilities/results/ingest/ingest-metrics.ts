import type { Registry } from 'prom-client';
import type { CheckResult, OutcomeKind } from '@watchpost/shared/outcome';
import { isLocation, type Region } from '@watchpost/shared/region';
import { metricsOn } from '@watchpost/shared/metrics-on';

export class IngestMetrics {
  readonly stored;
  readonly repeated;
  readonly dropped;
  readonly refused;
  readonly ingestSeconds;
  private readonly outcomes;
  private readonly lagSeconds;

  constructor(registry: Registry) {
    const { counter, histogram } = metricsOn(registry);
    this.stored = counter('watchpost_results_stored_total', 'Check results stored, by region', 'region');
    this.repeated = counter(
      'watchpost_results_repeated_total',
      'Check results that were stored already: replayed by an agent, or produced by two agents during a handover',
      'region',
    );
    this.dropped = counter('watchpost_results_dropped_total', 'Check results dropped, by reason', 'region', 'reason');
    this.refused = counter(
      'watchpost_results_refused_total',
      'Check results refused because no agent can have produced them, by reason: not_due, at that time the check was not scheduled; foreign_monitor, the private location of the agent is of another workspace',
      'region',
      'reason',
    );
    this.ingestSeconds = histogram(
      'watchpost_results_ingest_seconds',
      'Time to commit a batch of results, including verdicts',
      [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
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
  }

  /** Counts the outcomes of an agent's batch, and observes the age of its oldest result. */
  countOutcomes(region: Region, results: readonly CheckResult[], nowMs: number): void {
    const counts: Record<OutcomeKind, number> = { up: 0, down: 0, inconclusive: 0 };
    let oldestMs = nowMs;
    for (const { outcome, startedAtMs, totalUs } of results) {
      counts[outcome.kind]++;
      oldestMs = Math.min(oldestMs, startedAtMs + totalUs / 1_000);
    }
    for (const [outcome, count] of Object.entries(counts))
      if (count > 0) this.outcomes.inc({ region: regionLabel(region), outcome }, count);
    if (results.length > 0) this.lagSeconds.observe({ region: regionLabel(region) }, (nowMs - oldestMs) / 1_000);
  }

  /** Counts the results of a batch: stored, dropped, and the rest, which were stored already. */
  countStored(
    reported: readonly { region: Region }[],
    stored: readonly Region[],
    dropped: readonly { region: Region; reason: string }[],
  ): void {
    const repeated = countBy(reported.map(({ region }) => region));
    for (const [region, count] of countBy(stored)) {
      this.stored.inc({ region: regionLabel(region) }, count);
      repeated.set(region, repeated.get(region)! - count);
    }
    for (const { region, reason } of dropped) {
      this.dropped.inc({ region: regionLabel(region), reason });
      repeated.set(region, repeated.get(region)! - 1);
    }
    for (const [region, count] of repeated) this.repeated.inc({ region: regionLabel(region) }, count);
  }
}

function countBy<Item>(items: readonly Item[]): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The private locations of all workspaces are one label: their number has no bound, and their names are nobody's business. */
export function regionLabel(region: Region): string {
  return isLocation(region) ? 'private' : region;
}
