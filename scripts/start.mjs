// npm start: the whole product on one machine, from a fresh clone.
import './bootstrap/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, PRODUCT, ROOT } from './bootstrap/index.mjs';
import { LOCAL_NETWORK } from './bootstrap/local-network.mjs';

const DEFAULTS = {
  DATA_DIR: join(ROOT, '.data'),
  START_HOME_AGENT: '1',
  // The terminal shows only what people need: the address, how to sign in, and warnings.
  LOG_LEVEL: 'warn',
  ...LOCAL_NETWORK,
};

await bootstrap(PRODUCT);
for (const [name, value] of Object.entries(DEFAULTS)) process.env[name] ??= value;

// Ctrl-C reaches this process twice, from the terminal and forwarded by npm. The program drains at the first signal.
// These handlers keep the second one from its default action, which would end the process before it is drained.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
await import(pathToFileURL(join(ROOT, 'control-plane', 'dist', 'main.js')).href);
