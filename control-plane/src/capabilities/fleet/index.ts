export { Fleet } from './fleet.js';
export {
  deleteAgent,
  drainAgent,
  reissueAgentToken,
  resumeAgent,
  revokeAgent,
  type AgentReference,
} from './agents/change-agent-status.js';
export { createAgent } from './agents/create-agent.js';
export { listAgents, type ListedAgent } from './agents/read-region-agents.js';
export { readRegionAgents } from './agents/read-region-agents.js';
export { AgentCertificates } from './certificates/agent-certificates.js';
export { SEALED_AUTHORITY_KEY } from './certificates/make-authority.js';
export {
  describeAuthorities,
  describeDependent,
  retireAuthority,
  rotateAuthority,
  type Authorities,
} from './certificates/rotate-authority.js';
export { locationAgentRoutes } from './locations/location-agent-routes.js';
export { revokeAgentsAt } from './agents/agent-store.js';
export { readLocationStates } from './locations/read-location-states.js';
export { locationWatcher } from './locations/watch-locations.js';
export { checkTools, PUBLIC_CHECKS } from './runs/check-tools.js';
export { ConcurrentTests } from './runs/concurrent-tests.js';
export { monitorTestRoutes } from './runs/monitor-test-routes.js';
export { type Recheck, type RecheckDeps, recheckMonitor } from './runs/recheck-monitor.js';
export { OtherAgents } from './runs/other-agents.js';
export { AgentService } from './streams/agent-service.js';
