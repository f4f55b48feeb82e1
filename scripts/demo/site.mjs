import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
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
 * the sites of Acme, with TLS too: all are up except for the search. By UDP it answers a ping.
 * @param options.dataDir keeps the ports for the next run
 * @param options.certificates of its hosts
 */
export async function startSite({ dataDir, certificates }) {
  let broken = false;
  let timer;
  const answer = (request, response) => {
    const host = (request.headers.host ?? '').split(':')[0];
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
  };
  const plain = createServer(answer);
  const SNICallback = (host, done) => done(null, createSecureContext(certificates.of(host)));
  const secure = createSecureServer({ ...certificates.of(''), SNICallback }, answer);
  const beacon = createSocket('udp4');
  beacon.on('message', (text, from) => String(text) === 'ping' && beacon.send('pong', from.port, from.address));
  const [port, securePort, udpPort] = await Promise.all([
    listenAsBefore(plain, join(dataDir, 'site-port')),
    listenAsBefore(secure, join(dataDir, 'secure-site-port')),
    listenAsBefore(beacon, join(dataDir, 'beacon-port')),
  ]);
  const turn = (next) => {
    broken = next;
    printLine(broken ? 'THE SITE BREAKS: it answers 503 from now on.' : 'THE SITE IS REPAIRED.');
    timer = setTimeout(turn, broken ? BROKEN_MS : REPAIRED_MS, !broken);
  };
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    securePort,
    udpPort,
    misbehave() {
      timer = setTimeout(turn, HEALTHY_MS, true);
    },
    stop() {
      clearTimeout(timer);
      beacon.close();
      for (const server of [plain, secure]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}
