export { requestSecondOpinion, type SecondOpinionDeps } from './runs/request-second-opinion.js';
export type { AgentDetails, AgentRow, AgentStatus } from './agents/agent-store.js';
export {
  drainAgent,
  reissueAgentToken,
  resumeAgent,
  revokeAgent,
  type AgentReference,
  type AgentStatusDeps,
} from './agents/change-agent-status.js';
export { AgentCertificates, type AgentCertificatesOptions } from './certificates/agent-certificates.js';
export {
  describeAuthorities,
  describeDependent,
  retireAuthority,
  rotateAuthority,
  type Authorities,
} from './certificates/rotate-authority.js';
export type { CertificateTimes } from './certificates/certificate-times.js';
export { SEALED_AUTHORITY_KEY } from './certificates/make-authority.js';
export { createAgent, type CreatedAgent } from './agents/create-agent.js';
export { decideAgentState, type AgentState } from './agents/decide-agent-state.js';
export { Fleet, type FleetOptions } from './fleet.js';
export type { FleetTimes } from './fleet-times.js';
export { listAgents } from './agents/list-agents.js';
export type { MonitorChecks, MonitorCheckSource } from './assignment/monitor-checks.js';
export { monitorTestRoutes } from './runs/monitor-test-routes.js';
export { testMonitor } from './runs/test-monitor.js';
export type { MonitorTestDeps } from './runs/test-monitor-target.js';
export { checkTools, PUBLIC_CHECKS } from './runs/check-tools.js';
