import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';

/** Serves the registry at `/metrics` in Prometheus' text format, for the operators' own port. The caller listens and closes. */
export function createMetricsServer(registry: Registry): Server {
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path !== '/metrics') response.writeHead(404).end();
    else if (!isRead) response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    else void answerMetrics(registry, response, request.method === 'HEAD');
  });
}

async function answerMetrics(registry: Registry, response: ServerResponse, headOnly: boolean): Promise<void> {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' });
    response.end(headOnly ? undefined : text);
  } catch {
    response.writeHead(500).end();
  }
}
