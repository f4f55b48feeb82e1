import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPackageDefinition, type GrpcObject, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The wire contract of the previous version and of this one, read from the proto files and not from generated code. */
const CONTRACTS = {
  former: join(ROOT, 'test/support/former-wire/watchpost/agent/v1/agent.proto'),
  present: join(ROOT, 'proto/watchpost/agent/v1/agent.proto'),
} as const;
export type WireVersion = keyof typeof CONTRACTS;

/** @returns a client and a service definition of exactly this version of the contract */
export function wireContract(version: WireVersion): ServiceClientConstructor {
  const definition = loadSync(CONTRACTS[version], { longs: Number, enums: String, defaults: true, oneofs: true });
  const packages = loadPackageDefinition(definition) as { watchpost: { agent: { v1: GrpcObject } } };
  return packages.watchpost.agent.v1['AgentService'] as ServiceClientConstructor;
}
