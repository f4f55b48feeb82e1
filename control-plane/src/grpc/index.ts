export { startGrpcServer, type GrpcServer, type GrpcServerOptions } from './grpc-server.js';
export type {
  AgentGateway,
  AgentHeartbeat,
  AgentHello,
  AgentIdentity,
  AgentMessage,
  AssignmentMessage,
  AssignmentSession,
  AssignmentSink,
  StreamEndReason,
} from './agent-gateway.js';
export { MAX_BATCH_RESULTS } from './from-wire.js';
