import { Counter, Gauge, type Registry } from 'prom-client';

/** What the fleet counts. */
export class FleetMetrics {
  readonly connected: Gauge<'region'>;
  readonly assigned: Gauge<'region'>;
  readonly epochs: Counter<'region'>;
  readonly updates: Counter<'kind'>;
  readonly moved: Counter<'direction'>;
  readonly runs: Counter<'outcome'>;
  readonly failures: Counter;
  readonly blind: Gauge<'region'>;
  readonly refused: Counter<'region' | 'reason'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.connected = new Gauge({
      name: 'watchpost_agents_connected',
      help: 'Agents with an assignment stream',
      labelNames: ['region'],
      registers,
    });
    this.assigned = new Gauge({
      name: 'watchpost_checks_assigned',
      help: 'Checks that connected agents own',
      labelNames: ['region'],
      registers,
    });
    this.epochs = new Counter({
      name: 'watchpost_region_epochs_total',
      help: 'Times that the agents sharing a region changed',
      labelNames: ['region'],
      registers,
    });
    this.updates = new Counter({
      name: 'watchpost_assignment_updates_total',
      help: 'Assignment updates sent to agents',
      labelNames: ['kind'],
      registers,
    });
    this.moved = new Counter({
      name: 'watchpost_assignment_checks_total',
      help: 'Checks sent to agents in updates',
      labelNames: ['direction'],
      registers,
    });
    this.runs = new Counter({
      name: 'watchpost_on_demand_runs_total',
      help: 'On-demand runs, by how they ended',
      labelNames: ['outcome'],
      registers,
    });
    this.blind = new Gauge({
      name: 'watchpost_agents_blind',
      help: 'Connected agents that say that they have lost their own network',
      labelNames: ['region'],
      registers,
    });
    this.refused = new Counter({
      name: 'watchpost_results_refused_total',
      help: 'Check results that no agent can have come to honestly: not_due, at a moment at which the check was not due',
      labelNames: ['region', 'reason'],
      registers,
    });
    this.failures = new Counter({
      name: 'watchpost_assignment_failures_total',
      help: 'Assignment work that failed and is tried again',
      registers,
    });
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
