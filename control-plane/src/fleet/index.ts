export type { AgentDetails, AgentRow, AgentStatus } from './agent-store.js';
export { drainAgent, revokeAgent, type AgentReference, type AgentStatusDeps } from './change-agent-status.js';
export { createAgent, type CreatedAgent } from './create-agent.js';
export { Fleet, type FleetOptions } from './fleet.js';
export type { FleetTimes } from './fleet-times.js';
export { listAgents } from './list-agents.js';
export type { MonitorChecks, MonitorCheckSource } from './monitor-checks.js';
export { monitorTestRoutes } from './monitor-test-routes.js';
export { testMonitor, type MonitorTestDeps } from './test-monitor.js';
