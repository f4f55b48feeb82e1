import { CHECK_FAULTS, type CheckFaultKey } from '@watchpost/shared/check';
import { agentFault, type CheckFault } from '@watchpost/shared/checks/fault-kind';
import { REACH_FAULTS } from './reach-faults.js';

const OWN_FAULTS = {
  agent_no_resolver: agentFault('agent_no_network', 'The agent got no answer from its own DNS resolver.'),
  agent_no_route: agentFault('agent_no_network', 'The agent has no network route to {address} ({code}).'),
  agent_no_descriptors: agentFault('agent_no_descriptors', 'The agent has no free file descriptors ({code}).'),
  agent_exhausted: agentFault(
    'agent_overloaded',
    'The agent has no free ports or memory for another connection ({code}).',
  ),
  agent_queue: agentFault('agent_overloaded', 'The agent had too many names to resolve at once.'),
  own_names_queue: agentFault(
    'agent_overloaded',
    'The slow names of this account used up its share of the agent’s lookups. Pause monitors whose names do not resolve.',
  ),
  agent_body_memory: agentFault(
    'agent_overloaded',
    'The agent had no memory for the body of the answer, which is searched for the keyword.',
  ),
  own_body_memory: agentFault(
    'agent_overloaded',
    'The large answers of this account used up its share of the agent’s memory. Search smaller pages for keywords, or lengthen the intervals of these monitors.',
  ),
  agent_broken: agentFault('agent_overloaded', 'The agent could not run the check because of an internal error.'),
  agent_clock_disputed: agentFault(
    'agent_overloaded',
    'The clocks of the agent’s machine and of the control plane differ: by only one of them the certificate of {host} is valid.',
  ),
  agent_late: agentFault('agent_late', 'The agent stood still for {lateMs} ms while the check ran.'),
  agent_unsupported: agentFault(
    'unsupported',
    'The agent is too old for this kind of check, or for a setting of it. Upgrade the agent.',
  ),
  agent_stopping: agentFault('agent_stopping', 'The agent stopped before the check was finished.'),
} as const;

export type FaultKey = CheckFaultKey | keyof typeof REACH_FAULTS | keyof typeof OWN_FAULTS;

/**
 * Every fault of a check, with the sentence that an incident shows. docs/guides/check-faults.md lists the same sentences; a
 * test compares the two.
 */
export const FAULTS: Readonly<Record<FaultKey, CheckFault>> = { ...REACH_FAULTS, ...CHECK_FAULTS, ...OWN_FAULTS };
