// npm run build:cli: builds the command line as one file for Node.js. `--out DIR` writes it to a folder other than
// dist/cli, and `--compiled` uses the sources that are compiled already.
import './bootstrap/node-version.mjs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bootstrap, ROOT, printMessage } from './bootstrap/index.mjs';

const { values: given } = parseArgs({ options: { out: { type: 'string' }, compiled: { type: 'boolean' } } });
const out = given.out ?? join(ROOT, 'dist', 'cli');

await bootstrap(given.compiled ? [] : ['scripts/cli']);
const { bundleCli } = await import('./artefact/bundle-cli.mjs');
await mkdir(out, { recursive: true });
const file = await bundleCli(ROOT, out);
printMessage(`${file} (${((await stat(file)).size / 1e6).toFixed(1)} MB), for Node.js 20.19 or later`);
