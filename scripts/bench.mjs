// npm run bench: runs the benches. Each row is compared with its yardstick from the same run.
import './bootstrap/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, EVERYTHING, ROOT } from './bootstrap/index.mjs';

await bootstrap(EVERYTHING);
const file = join(ROOT, 'test', 'dist', 'bench', 'main.js');
process.argv = [process.argv[0], file, ...process.argv.slice(2)];
await import(pathToFileURL(file).href);
