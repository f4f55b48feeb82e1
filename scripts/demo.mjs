// npm run demo: the whole product, with a day of history, beside a site that breaks on schedule; prints events as they happen.
import './bootstrap/node-version.mjs';
import { join } from 'node:path';
import { ROOT } from './bootstrap/index.mjs';
import { bootstrap, DEMO } from './bootstrap/index.mjs';
import { createApi } from './demo/api.mjs';
import { narrate } from './demo/narrate.mjs';
import { seed } from './demo/seed.mjs';
import { startSite } from './demo/site.mjs';
import { startAgents } from './demo/start-agents.mjs';
import { startProduct } from './demo/start-product.mjs';
import { startReceiver } from './demo/receiver.mjs';
import { printLine } from './demo/print-line.mjs';

const JOB_EVERY_MS = 600_000;
/** The default of HOME_REGION, where Acme's past is played. */
const HOME_REGION = 'northeurope';

await bootstrap(DEMO);
// The demo has a separate data folder, so that the data of "npm start" is not changed.
const dataDir = process.env.DATA_DIR ?? join(ROOT, '.data', 'demo');

const { pointAtRun, prepareDemo } = await import('./acme/prepare-demo.mjs');
const { readOrMakeCertificates } = await import('./demo/certificates.mjs');
const { startNames } = await import('./demo/names.mjs');
const certificates = await readOrMakeCertificates(dataDir);
const site = await startSite({ dataDir, certificates });
const receiver = await startReceiver(printLine, join(dataDir, 'receiver-port'));
const run = { site, webhookUrl: receiver.url };
printLine('The workspace of the demo and its last day are made, if they are not there yet …');
const tokens = await prepareDemo({ dataDir, certificates, ...run }).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
const names = await startNames({ dataDir, regions: [HOME_REGION, ...Object.keys(tokens)] });
const envOf = (region) => ({ ...names.envOf(region), NODE_EXTRA_CA_CERTS: certificates.rootsFile });
const product = await startProduct(dataDir, envOf(HOME_REGION));
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => ending.abort());
void product.ended.then(() => ending.abort());

let failed = false;
let agents;
let job;
try {
  agents = startAgents({ tokens, controlPlaneUrl: product.agentUrl, dataDir, envOf });
  const api = createApi(product.baseUrl, await product.admin('token'));
  await pointAtRun(api, run);
  const demo = await seed({ api, ...run });
  const { baseUrl } = product;
  demo.pageUrl = `${baseUrl}/status/${demo.slug}`;
  printLine(`The console is ${baseUrl}/console: sign in with the demo account above.`);
  printLine('The workspace is that of Acme: 46 monitors in three regions, a day of history, open incidents.');
  printLine(`The site is ${site.url}: it is up now, breaks soon, and is repaired later, repeatedly.`);
  printLine('Its name is shop.demo.example. The names of the demo exist only for its agents.');
  printLine(`Its status page: ${demo.pageUrl}`);
  printLine(`The status page of Acme: ${baseUrl}/status/acme`);
  printLine(`Mail to the person on call: ${baseUrl}/mailbox`);
  // The job that reports to the heartbeat: nothing breaks where the service is busy.
  const report = () => void fetch(demo.pingUrl, { method: 'POST' }).catch(() => {});
  report();
  job = setInterval(report, JOB_EVERY_MS);
  site.misbehave();
  names.move();
  await narrate({ api, demo, baseUrl, signal: ending.signal });
} catch (error) {
  failed = !ending.signal.aborted;
  if (failed) console.error(error.message);
} finally {
  clearInterval(job);
  site.stop();
  receiver.stop();
  await agents?.stop();
  await product.stop();
  await names.stop();
}
process.exit(failed ? 1 : 0);
