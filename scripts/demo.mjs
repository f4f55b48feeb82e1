// npm run demo: the whole product beside a site that breaks on schedule; prints events as they happen.
import './bootstrap/node-version.mjs';
import { join } from 'node:path';
import { ROOT } from './bootstrap/index.mjs';
import { bootstrap, PRODUCT } from './bootstrap/index.mjs';
import { createApi } from './demo/api.mjs';
import { narrate } from './demo/narrate.mjs';
import { seed } from './demo/seed.mjs';
import { startSite } from './demo/site.mjs';
import { startProduct } from './demo/start-product.mjs';
import { startReceiver } from './demo/receiver.mjs';
import { printLine } from './demo/print-line.mjs';

await bootstrap(PRODUCT);
// The demo has a separate data folder, so that the data of "npm start" is not changed.
const dataDir = process.env.DATA_DIR ?? join(ROOT, '.data', 'demo');

const product = await startProduct(dataDir);
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => ending.abort());
void product.ended.then(() => ending.abort());

let failed = false;
let site, receiver;
try {
  receiver = await startReceiver();
  const api = createApi(product.baseUrl, await product.admin('token'));
  site = await startSite();
  const demo = await seed({ api, admin: product.admin, siteUrl: site.url, webhookUrl: receiver.url });
  const { baseUrl } = product;
  demo.pageUrl = `${baseUrl}/status/${demo.slug}`;
  printLine(`The site is ${site.url}: it is up now, breaks soon, and is repaired later, repeatedly.`);
  printLine(`Its status page: ${demo.pageUrl}`);
  printLine(`Mail to the person on call: ${baseUrl}/mailbox`);
  site.misbehave();
  await narrate({ api, demo, baseUrl, signal: ending.signal });
} catch (error) {
  failed = !ending.signal.aborted;
  if (failed) console.error(error.message);
} finally {
  site?.stop();
  receiver?.stop();
  await product.stop();
}
process.exit(failed ? 1 : 0);
