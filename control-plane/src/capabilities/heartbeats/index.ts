export { applyPing } from './apply-ping.js';
export { decideHeartbeat, type HeartbeatDecision } from './decide-heartbeat.js';
export { failureEvidence, failureReason } from './describe-failure.js';
export { heartbeatsMonitorListener } from './follow-monitors.js';
export { readHeartbeatSpans } from './heartbeat-spans.js';
export {
  type HeartbeatFailure,
  type HeartbeatSubject,
  type Ping,
  PING_KIND_CODES,
  type PingKind,
  PING_KINDS,
} from './heartbeat.js';
export { readHeartbeats, type ReachedHeartbeat, saveHeartbeats } from './reached-heartbeats.js';
