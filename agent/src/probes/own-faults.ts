import { ours } from './fault-kind.js';

/** The agent's own. */
export const OWN_FAULTS = {
  agent_no_resolver: ours('agent_no_network', 'The agent got no answer from its own DNS resolver.'),
  agent_no_route: ours('agent_no_network', 'The agent has no network route to {address} ({code}).'),
  agent_no_descriptors: ours('agent_no_descriptors', 'The agent has no free file descriptors ({code}).'),
  agent_exhausted: ours('agent_overloaded', 'The agent has no free ports or memory for another connection ({code}).'),
  agent_queue: ours('agent_overloaded', 'The agent had too many names to resolve at once.'),
  own_names_queue: ours(
    'agent_overloaded',
    'The names of this account that resolve slowly used up its share of the agent’s lookups: pause monitors whose names do not resolve.',
  ),
  agent_broken: ours('agent_overloaded', 'The agent could not run the check because of a fault of its own.'),
  agent_late: ours('agent_late', 'The agent stood still for {lateMs} ms while the check ran.'),
  agent_stopping: ours('agent_stopping', 'The agent stopped before the check was finished.'),
} as const;
