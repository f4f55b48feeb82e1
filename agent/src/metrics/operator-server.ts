import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { Visibility } from '@watchpost/shared/wire/messages';

export interface AgentHealth {
  status: 'ok' | 'starting' | 'stopping';
  version: string;
  region: string | null;
  connected: boolean;
  checks: number;
  spoolDepth: number;
  /** Whether the agent reaches its reference targets; `unknown` where it has none. */
  visibility: Visibility;
}

/**
 * Serves `/metrics` and `/health` on the agent's own port. Health is 200 even while the control plane is away: the agent
 * goes on checking, and a restart would not help.
 */
export async function startOperatorServer(options: {
  host: string;
  port: number;
  registry: Registry;
  health(): AgentHealth;
}): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
    } else if (path === '/metrics') {
      options.registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': options.registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    } else if (path === '/health') {
      const health = options.health();
      response
        .writeHead(health.status === 'ok' ? 200 : 503, { 'content-type': 'application/json' })
        .end(JSON.stringify(health));
    } else response.writeHead(404).end();
  });
  server.requestTimeout = 10_000;
  server.maxConnections = 64;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return server;
}
