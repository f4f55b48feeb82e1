// npm start: the whole product on one machine, from a fresh clone.
import './bootstrap/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, PRODUCT, ROOT } from './bootstrap/index.mjs';

const LOOPBACK = '127.0.0.0/8,::1/128';
const DEFAULTS = {
  DATA_DIR: join(ROOT, '.data'),
  START_HOME_AGENT: '1',
  // The terminal is for people: where it is, how to sign in, and what goes wrong.
  LOG_LEVEL: 'warn',
  // Somebody who tries it out points it at what runs on the same machine or network.
  PROBE_ALLOW_CIDRS: `${LOOPBACK},10.0.0.0/8,172.16.0.0/12,192.168.0.0/16`,
  WEBHOOK_ALLOW_CIDRS: LOOPBACK,
};

await bootstrap(PRODUCT);
for (const [name, value] of Object.entries(DEFAULTS)) process.env[name] ??= value;

// Ctrl-C reaches this process twice, from the terminal and forwarded by npm. The program drains at the first one;
// with these the second never meets the default action, which would cut the drain short.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
await import(pathToFileURL(join(ROOT, 'control-plane', 'dist', 'main.js')).href);
