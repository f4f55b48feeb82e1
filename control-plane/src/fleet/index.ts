export { askElsewhere, type AskElsewhereDeps } from './ask-elsewhere.js';
export type { AgentDetails, AgentRow, AgentStatus } from './agent-store.js';
export {
  drainAgent,
  reissueAgentToken,
  resumeAgent,
  revokeAgent,
  type AgentReference,
  type AgentStatusDeps,
} from './change-agent-status.js';
export { AgentCertificates, type AgentCertificatesOptions } from './certificates/agent-certificates.js';
export {
  describeAuthorities,
  describeDependent,
  retireAuthority,
  rotateAuthority,
  type Authorities,
} from './certificates/rotate-authority.js';
export type { CertificateTimes } from './certificates/certificate-times.js';
export { createAgent, type CreatedAgent } from './create-agent.js';
export { decideAgentState, type AgentState } from './decide-agent-state.js';
export { Fleet, type FleetOptions } from './fleet.js';
export type { FleetTimes } from './fleet-times.js';
export { listAgents } from './list-agents.js';
export type { MonitorChecks, MonitorCheckSource } from './monitor-checks.js';
export { monitorTestRoutes } from './monitor-test-routes.js';
export { testMonitor } from './test-monitor.js';
export type { MonitorTestDeps } from './test-monitor-target.js';
export { checkTools } from './check-tools.js';
