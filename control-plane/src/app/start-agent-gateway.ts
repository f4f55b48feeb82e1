import type { ControlPlane } from './compose.js';
import type { Platform } from './platform.js';
import { AgentCertificates, AgentService } from '../capabilities/fleet/index.js';
import { ServiceHealth, startGrpcServer } from '../platform/grpc/index.js';
import { databaseAnswers } from '../platform/telemetry/health.js';
import { startHomeAgent } from '../embedded/home-agent.js';
import { homeAgentToken } from '../embedded/home-agent-token.js';
import { portTaken } from '../embedded/port-taken.js';

/** The name by which clients of this service ask for its health. */
const AGENT_SERVICE = 'watchpost.agent.v1.AgentService';
const DRAIN_MS = 10_000;

/**
 * Opens the port for agents, and starts the agent that runs beside this process where the configuration asks for one.
 * @returns the lines about it for the terminal, and the health that the port reports
 */
export async function startAgentGateway(
  { config, db, clock, logger, registry, secretBox }: Platform,
  { fleet, resultSink }: Pick<ControlPlane, 'fleet' | 'resultSink'>,
  onStop: (closer: () => Promise<void> | void) => void,
): Promise<{ lines: string[]; health: ServiceHealth }> {
  const { roles } = config;
  const health = new ServiceHealth({
    services: {
      '': true,
      [AGENT_SERVICE]: roles.has('gateway'),
      'watchpost.api': roles.has('api'),
      'watchpost.gateway': roles.has('gateway'),
      'watchpost.worker': roles.has('worker'),
    },
    isReady: () => databaseAnswers(db),
  });
  // Also without TLS: a token carries the authority's hash, and may be made before TLS is set up.
  const certificates = await AgentCertificates.open({ db, clock, logger, registry, secretBox, fleet });
  const grpc = await startGrpcServer({
    host: config.host,
    port: config.grpcPort,
    tls: config.grpcTls && { source: config.grpcTls, certificates },
    plainLoopback: config.startHomeAgent,
    agents: new AgentService({ fleet, certificates, resultSink, clock, logger, registry }),
    health,
    clock,
    logger,
    registry,
  }).catch((error: unknown) => {
    throw portTaken(error, 'GRPC_PORT', config.grpcPort);
  });
  onStop(async () => {
    await fleet.stop();
    await grpc.stop(DRAIN_MS);
  });
  const lines = [`Agents connect to ${agentUrl(config, grpc.port)}`];
  if (config.startHomeAgent) {
    const agent = startHomeAgent({
      controlPlaneUrl: `http://127.0.0.1:${grpc.plainPort}`,
      token: await homeAgentToken({ db, clock, dataDir: config.dataDir }),
      dataDir: config.dataDir,
      env: config.agentEnvironment,
      logger,
    });
    onStop(() => agent.stop());
    lines[0] += '; one of the home region runs here';
  }
  return { lines, health };
}

function agentUrl({ grpcTls, host }: Platform['config'], port: number): string {
  if (!grpcTls) return `http://127.0.0.1:${port}`;
  const name = 'hosts' in grpcTls ? grpcTls.hosts[0]! : host;
  return `https://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
