import { createServer } from 'node:http';
import { listenAsBefore } from './listen-as-before.mjs';
import { printLine } from './print-line.mjs';

/** Long enough that a check every minute finds each state. */
const HEALTHY_MS = 15_000;
const BROKEN_MS = 85_000;
const REPAIRED_MS = 140_000;

/** The host of Acme whose outage is open when the demo starts. */
const BROKEN_HOST = 'search.acme.example';

/**
 * A site on loopback whose front page is up until `misbehave`, and then alternately broken and up. Under other hosts it is
 * the sites of Acme: all are up except for the search.
 * @param portFile keeps the port for the next run
 */
export async function startSite(portFile) {
  let broken = false;
  let timer;
  const server = createServer((request, response) => {
    const { host = '' } = request.headers;
    if (!host.endsWith('.acme.example')) {
      response.writeHead(broken ? 503 : 200, { 'content-type': 'text/plain' });
      response.end(broken ? 'The shop is out of order.\n' : 'Welcome to the shop.\n');
      return;
    }
    const fails = host === BROKEN_HOST;
    // Each address is as slow as its length makes it, so that not all curves are the same.
    const delayMs = 40 + (((host.length + request.url.length) * 37) % 160);
    setTimeout(() => {
      response.writeHead(fails ? 502 : 200, { 'content-type': 'text/plain' });
      response.end(fails ? 'search: the index is not available\n' : 'hello\n');
    }, delayMs);
  });
  const port = await listenAsBefore(server, portFile);
  const turn = (next) => {
    broken = next;
    printLine(broken ? 'THE SITE BREAKS: it answers 503 from now on.' : 'THE SITE IS REPAIRED.');
    timer = setTimeout(turn, broken ? BROKEN_MS : REPAIRED_MS, !broken);
  };
  return {
    url: `http://127.0.0.1:${port}/`,
    misbehave() {
      timer = setTimeout(turn, HEALTHY_MS, true);
    },
    stop() {
      clearTimeout(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}
