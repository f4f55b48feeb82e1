import type { Registry } from 'prom-client';
import { metricsOn } from '../../platform/telemetry/metrics-on.js';

/** What the fleet counts. */
export class FleetMetrics {
  readonly connected;
  readonly assigned;
  readonly epochs;
  readonly updates;
  readonly moved;
  readonly runs;
  readonly failures;
  readonly blind;

  constructor(registry: Registry) {
    const { counter, gauge } = metricsOn(registry);
    this.connected = gauge('watchpost_agents_connected', 'Agents with an assignment stream', 'region');
    this.assigned = gauge('watchpost_checks_assigned', 'Checks that connected agents own', 'region');
    this.epochs = counter('watchpost_region_epochs_total', 'Times that the agents sharing a region changed', 'region');
    this.updates = counter('watchpost_assignment_updates_total', 'Assignment updates sent to agents', 'kind');
    this.moved = counter('watchpost_assignment_checks_total', 'Checks sent to agents in updates', 'direction');
    this.runs = counter('watchpost_on_demand_runs_total', 'On-demand runs, by how they ended', 'outcome');
    this.blind = gauge(
      'watchpost_agents_blind',
      'Connected agents that say that they have lost their own network',
      'region',
    );
    this.failures = counter('watchpost_assignment_failures_total', 'Assignment work that failed and is tried again');
  }

  /** The connected agents, as they are now. */
  show(agents: readonly { region: string; checks: number }[]): void {
    this.connected.reset();
    this.assigned.reset();
    for (const { region, checks } of agents) {
      this.connected.inc({ region });
      this.assigned.inc({ region }, checks);
    }
  }
}
