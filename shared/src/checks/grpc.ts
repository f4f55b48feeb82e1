import { z } from 'zod';
import { defineCheck, headers, port, type TargetOf } from './define-check.js';
import { agentFault, answered, down } from './fault-kind.js';

/** The health of a gRPC service by the protocol `grpc.health.v1`. */
export const grpcCheck = defineCheck({
  kind: 'grpc',
  code: 5,
  target: {
    /** `grpcs` is over TLS. */
    protocol: z.enum(['grpc', 'grpcs']),
    /** Name or address, without brackets. */
    host: z.string(),
    port,
    /** The full name of a service; null for the server as a whole. */
    service: z.string().nullable().default(null),
    headers,
    verifyCertificate: z.boolean().default(true),
  },
  hostOf: ({ host }) => host,
  usesTls: ({ protocol }) => protocol === 'grpcs',
  faults: {
    grpc_not_serving: answered(
      'content',
      'unexpected_answer',
      'The server at {address} reports that {service} is not serving.',
    ),
    grpc_unknown: answered('content', 'unexpected_answer', 'The server at {address} does not know {service}.'),
    grpc_state: answered(
      'content',
      'unexpected_answer',
      'The server at {address} reports the state {state} of {service}.',
    ),
    grpc_refused: answered(
      'content',
      'unexpected_answer',
      'The server at {address} did not answer the health check of {service}: {status}.',
    ),
    grpc_unimplemented: agentFault(
      'unsupported',
      'The server at {address} does not implement the gRPC health protocol. Register the service grpc.health.v1.Health with its method Check, or check the port as TCP.',
    ),
    grpc_not_grpc: answered(
      'firstByte',
      'protocol_error',
      'The server at {address} answered over HTTP/2, but not as a gRPC server: {why}.',
    ),
    grpc_ended: down(
      'firstByte',
      'connection_reset',
      'The server at {address} ended the health check without an answer ({code}).',
    ),
    grpc_garbled: answered(
      'content',
      'protocol_error',
      'The answer from {address} to the health check is not valid: {why}.',
    ),
    grpc_too_large: answered(
      'transfer',
      'protocol_error',
      'The answer from {address} to the health check is larger than {limit} KiB.',
    ),
  },
});
export type GrpcTarget = TargetOf<typeof grpcCheck>;
