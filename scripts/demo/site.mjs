import { createServer } from 'node:http';
import { printLine } from './print-line.mjs';

/** Long enough that a check every minute finds each state. */
const HEALTHY_MS = 15_000;
const BROKEN_MS = 85_000;
const REPAIRED_MS = 140_000;

/** A site on loopback that is up until `misbehave`, and then alternately broken and up. */
export async function startSite() {
  let broken = false;
  let timer;
  const server = createServer((_request, response) => {
    response.writeHead(broken ? 503 : 200, { 'content-type': 'text/plain' });
    response.end(broken ? 'The shop is out of order.\n' : 'Welcome to the shop.\n');
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const turn = (next) => {
    broken = next;
    printLine(broken ? 'THE SITE BREAKS: it answers 503 from now on.' : 'THE SITE IS REPAIRED.');
    timer = setTimeout(turn, broken ? BROKEN_MS : REPAIRED_MS, !broken);
  };
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
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
