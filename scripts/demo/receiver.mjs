import { createServer } from 'node:http';
import { listenAsBefore } from './listen-as-before.mjs';

/**
 * A webhook receiver on loopback.
 * @param onWebhook called with a sentence about each webhook that arrives
 * @param portFile keeps the port for the next run; default: any free port
 */
export async function startReceiver(onWebhook, portFile) {
  let broken = false;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      response.writeHead(broken ? 503 : 204).end();
      onWebhook(`A webhook arrives: ${describe(body)}`);
    });
  });
  const port = await listenAsBefore(server, portFile);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    break() {
      broken = true;
    },
    repair() {
      broken = false;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function describe(body) {
  try {
    const { type, data } = JSON.parse(body);
    const { incident } = data;
    if (!incident) return type;
    return `${type} ("${type === 'incident.opened' ? incident.failureReason : `after ${incident.durationFormatted}`}")`;
  } catch {
    return 'something that is no JSON';
  }
}
