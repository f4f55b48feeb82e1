import type { Registry } from 'prom-client';
import { metricsOn } from '../../platform/telemetry/metrics-on.js';

/** The metrics of the fleet. */
export class FleetMetrics {
  readonly connected;
  readonly assigned;
  readonly epochs;
  readonly updates;
  readonly moved;
  readonly runs;
  readonly failures;
  readonly blind;
  readonly readsWaiting;

  constructor(registry: Registry) {
    const { counter, gauge } = metricsOn(registry);
    this.connected = gauge('watchpost_agents_connected', 'Agents with an assignment stream', 'region');
    this.assigned = gauge('watchpost_checks_assigned', 'Checks that connected agents own', 'region');
    this.epochs = counter('watchpost_region_epochs_total', 'Changes of the members of a region', 'region');
    this.updates = counter('watchpost_assignment_updates_total', 'Assignment updates sent to agents', 'kind');
    this.moved = counter('watchpost_assignment_checks_total', 'Checks sent to agents in updates', 'direction');
    this.runs = counter('watchpost_on_demand_runs_total', 'On-demand runs, by outcome', 'outcome');
    this.blind = gauge(
      'watchpost_agents_blind',
      'Connected agents that are blind: they reach none of their reference targets',
      'region',
    );
    this.readsWaiting = gauge('watchpost_assignment_reads_waiting', 'Reads for assignments that wait for their turn');
    this.failures = counter('watchpost_assignment_failures_total', 'Failed assignment updates, which are repeated');
  }

  /** Sets the gauges of connected agents. */
  setConnected(agents: readonly { region: string; checks: number }[]): void {
    this.connected.reset();
    this.assigned.reset();
    for (const { region, checks } of agents) {
      this.connected.inc({ region });
      this.assigned.inc({ region }, checks);
    }
  }
}
