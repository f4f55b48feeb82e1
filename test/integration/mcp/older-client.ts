import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Makes any client an old one: passes everything on, and asks for another protocol version in its name. */
export async function asOlderClient(baseUrl: string, version: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      // Clients do without an event stream, as of a server that has none. One that broke would end their session.
      if (request.method === 'GET') return void response.writeHead(405, { allow: 'POST, DELETE' }).end();
      const text = await bodyOf(request);
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
      const answer = await fetch(`${baseUrl}${request.url}`, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(text === '' ? {} : { body: text.replace(/"protocolVersion":"[^"]*"/, `"protocolVersion":"${version}"`) }),
        signal: AbortSignal.timeout(120_000),
      });
      const session = answer.headers.get('mcp-session-id');
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'application/json',
        ...(session === null ? {} : { 'mcp-session-id': session }),
      });
      response.end(await answer.text());
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
