import { createHistogram } from 'node:perf_hooks';
import { COMMIT, VERSION } from '@watchpost/shared/build';
import { metricsOn } from '@watchpost/shared/metrics-on';
import type { CheckResult } from '@watchpost/shared/outcome';
import { Counter, Histogram, type Registry } from 'prom-client';
import { PendingOutcomes, PendingValues } from './pending-values.js';

const MAX_START_LAG_US = 3_600_000_000;

/** Values that are read when the metrics are requested. */
export interface MetricSources {
  scheduled(): number;
  running(): number;
  waiting(): number;
  namesOpen(): number;
  namesWaiting(): number;
  pingsWaiting(): number;
  tracesWaiting(): number;
  spoolDepth(): number;
  spoolBytes(): number;
  spoolHeld(): number;
  clockOffsetMs(): number;
  canTrace(): boolean;
  isBlind(): boolean;
  /** null: the agent has no certificate. */
  certificateExpiresMs(): number | null;
}

/** The agent's metrics, on its own `/metrics`. */
export class AgentMetrics {
  private readonly outcomes: PendingOutcomes;
  private readonly startLags: PendingValues;
  private readonly loopLags: PendingValues;
  /** Start lags since the last heartbeat, µs; native, so that a value costs next to nothing. */
  private readonly recentStartLags = createHistogram({ lowest: 1, highest: MAX_START_LAG_US, figures: 2 });
  readonly caughtUp;
  readonly timesSkipped;
  readonly notStarted;
  readonly lookupsAbandoned;
  readonly evidenceDropped;
  readonly traces;
  readonly onDemand;
  readonly spoolDropped;
  readonly spoolCorrupt;
  readonly spoolRefused;
  readonly spoolDiskFailures;
  readonly connected;
  readonly reconnects;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    const { counter, gauge } = metricsOn(registry);
    gauge('watchpost_build_info', 'Always 1; the labels state what runs', 'version', 'commit', 'node').set(
      { version: VERSION, commit: COMMIT, node: process.versions.node },
      1,
    );
    const checks = new Counter({
      name: 'watchpost_checks_total',
      help: 'Scheduled checks by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
      collect: () => this.outcomes.flush(),
    });
    this.outcomes = new PendingOutcomes((labels, count) => checks.inc(labels, count));
    const startLag = new Histogram({
      name: 'watchpost_check_start_lag_seconds',
      help: 'How late checks start after the moment at which their group begins',
      buckets: [0.001, 0.002, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15],
      registers,
      collect: () => this.startLags.flush(),
    });
    this.startLags = new PendingValues((seconds) => startLag.observe(seconds));
    const loopLag = new Histogram({
      name: 'watchpost_check_loop_lag_seconds',
      help: 'Longest delay of the event loop during a check',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
      collect: () => this.loopLags.flush(),
    });
    this.loopLags = new PendingValues((seconds) => loopLag.observe(seconds));
    this.caughtUp = counter(
      'watchpost_checks_caught_up_total',
      'Checks run late because the agent was down or stood still at their scheduled time',
    );
    this.timesSkipped = counter(
      'watchpost_scheduled_times_skipped_total',
      'Scheduled times that were not run, because the agent stood still for too long',
    );
    this.notStarted = counter(
      'watchpost_checks_not_started_total',
      'Checks given up before they started: the agent was busy (agentBusy), or their owner used its whole share (ownShare)',
      'cause',
    );
    this.lookupsAbandoned = counter(
      'watchpost_names_not_looked_up_total',
      'Names that were not looked up in time because of lookups of other owners (agentBusy) or of the same owner (ownShare)',
      'cause',
    );
    this.evidenceDropped = counter(
      'watchpost_results_without_evidence_total',
      'Results sent without evidence and details, because their owner had used up its budget',
    );
    this.traces = counter(
      'watchpost_traces_total',
      'Traces of paths to addresses: the address answered (reached) or not (stopped), the program failed (failed), or the queue was full (skipped)',
      'outcome',
    );
    this.onDemand = counter('watchpost_runs_on_demand_total', 'On-demand runs by outcome', 'outcome');
    this.spoolDropped = counter(
      'watchpost_spool_dropped_total',
      'Results lost because the spool was full or of another region',
    );
    this.spoolCorrupt = counter('watchpost_spool_corrupt_total', 'Damaged parts of the spool that were skipped');
    this.spoolRefused = counter(
      'watchpost_spool_refused_total',
      'Results that the control plane can never accept, or does not store',
    );
    this.spoolDiskFailures = counter('watchpost_spool_disk_failures_total', 'Failed writes of the spool to disk');
    this.connected = gauge('watchpost_stream_connected', '1 while the stream is open', 'stream');
    this.reconnects = counter('watchpost_stream_reconnects_total', 'Attempts to connect again', 'stream');
  }

  /** Records how late a scheduled check started or was given up. */
  noteStart(lagMs: number): void {
    this.startLags.add(lagMs / 1_000);
    this.recentStartLags.record(Math.min(MAX_START_LAG_US, Math.max(1, Math.round(lagMs * 1000))));
  }

  /** The 99th percentile of the start lags since the last call, µs; 0 where nothing started. */
  takeStartLagP99Us(): number {
    const p99 = this.recentStartLags.count > 0 ? this.recentStartLags.percentile(99) : 0;
    this.recentStartLags.reset();
    return p99;
  }

  noteResult(result: CheckResult): void {
    this.outcomes.count(result.key.kind, result.outcome.kind);
    this.loopLags.add(result.loopLagUs / 1e6);
  }

  /** Adds gauges that read other parts of the agent. */
  observe(sources: MetricSources): void {
    const { shown } = metricsOn(this.registry);
    shown('watchpost_checks_scheduled', 'Checks on the schedule', sources.scheduled);
    shown('watchpost_checks_running', 'Checks that run now', sources.running);
    shown('watchpost_checks_waiting', 'Due checks that wait for other checks to end', sources.waiting);
    shown('watchpost_names_open', 'Names that are being looked up', sources.namesOpen);
    shown('watchpost_names_waiting', 'Names that wait for other lookups to end', sources.namesWaiting);
    shown('watchpost_pings_waiting', 'Pings that wait for other pings to end', sources.pingsWaiting);
    shown('watchpost_traces_waiting', 'Traces of paths that wait for other traces to end', sources.tracesWaiting);
    shown('watchpost_spool_results', 'Results not yet acknowledged', sources.spoolDepth);
    shown('watchpost_spool_bytes', 'Size of the spool on disk', sources.spoolBytes);
    shown(
      'watchpost_spool_memory_results',
      'Results in memory only, because they cannot be written to disk',
      sources.spoolHeld,
    );
    shown(
      'watchpost_clock_offset_seconds',
      'How far the control plane’s clock is ahead of this machine’s',
      () => sources.clockOffsetMs() / 1000,
    );
    shown(
      'watchpost_certificate_expiry_seconds',
      'When the agent’s certificate expires, seconds since the epoch; 0 without one',
      () => (sources.certificateExpiresMs() ?? 0) / 1000,
    );
    shown('watchpost_agent_traces', '1 where the agent can trace paths to addresses', () =>
      sources.canTrace() ? 1 : 0,
    );
    shown('watchpost_agent_blind', '1 while the agent has probably lost its own network', () =>
      sources.isBlind() ? 1 : 0,
    );
    shown('watchpost_process_resident_bytes', 'Resident memory of the agent', () => process.memoryUsage.rss());
  }
}
