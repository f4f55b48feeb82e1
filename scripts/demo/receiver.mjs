import { createServer } from 'node:http';
import { printLine } from './print-line.mjs';

/** A webhook receiver on loopback that prints the webhooks that arrive. */
export async function startReceiver() {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      response.writeHead(204).end();
      printLine(`A webhook arrives: ${describe(body)}`);
    });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/hook`,
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
