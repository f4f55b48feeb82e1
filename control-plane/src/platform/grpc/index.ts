export {
  startGrpcServer,
  type Connections,
  type GrpcServer,
  type GrpcServerOptions,
  type GrpcTls,
} from './grpc-server.js';
export type { Certificates, PeerCredential, ServerCertificate } from './certificates.js';
export type { ServerIdentitySource } from './server-identity.js';
export { ServiceHealth } from './service-health.js';
export type { ConnectionLimits } from './connection-limits.js';
export type { Stoppable } from './stoppable.js';
