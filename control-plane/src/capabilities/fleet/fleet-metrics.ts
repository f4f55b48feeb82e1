import type { Registry } from 'prom-client';
import { metricsOn } from '@watchpost/shared/metrics-on';

export function fleetMetrics(registry: Registry) {
  const { counter, gauge } = metricsOn(registry);
  const connected = gauge('watchpost_agents_connected', 'Agents with an assignment stream', 'region');
  const assigned = gauge('watchpost_checks_assigned', 'Checks that connected agents own', 'region');
  const epochs = counter('watchpost_region_epochs_total', 'Changes of the members of a region', 'region');
  const updates = counter('watchpost_assignment_updates_total', 'Assignment updates sent to agents', 'kind');
  const moved = counter('watchpost_assignment_checks_total', 'Checks sent to agents in updates', 'direction');
  const runs = counter('watchpost_on_demand_runs_total', 'On-demand runs, by outcome', 'outcome');
  const blind = gauge(
    'watchpost_agents_blind',
    'Connected agents that are blind: they reach none of their reference targets',
    'region',
  );
  const readsWaiting = gauge('watchpost_assignment_reads_waiting', 'Reads for assignments that wait for their turn');
  const failures = counter('watchpost_assignment_failures_total', 'Failed assignment updates, which are repeated');

  const setConnected = (agents: readonly { region: string; checks: number }[]): void => {
    connected.reset();
    assigned.reset();
    for (const { region, checks } of agents) {
      connected.inc({ region });
      assigned.inc({ region }, checks);
    }
  };
  return { connected, assigned, epochs, updates, moved, runs, blind, readsWaiting, failures, setConnected };
}

export type FleetMetrics = ReturnType<typeof fleetMetrics>;
