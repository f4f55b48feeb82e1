export { startGrpcServer, type GrpcServer, type GrpcServerOptions, type GrpcTls } from './grpc-server.js';
export type {
  AgentGateway,
  AgentIdentity,
  AssignmentReceiver,
  AssignmentSink,
  CredentialEnd,
  RefusedResult,
  ResultSink,
  StreamEndReason,
} from './agent-gateway.js';
export { assertCurrent } from './certificate-gateway.js';
export type {
  CertificateGateway,
  Enrolled,
  EnrolmentRefusal,
  PeerCredential,
  ServerCertificate,
} from './certificate-gateway.js';
export type { ServerIdentitySource } from './server-identity.js';
export { ServiceHealth } from './service-health.js';
export type { ConnectionLimits } from './connection-limits.js';
