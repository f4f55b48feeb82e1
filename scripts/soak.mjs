// npm run soak: random faults under load, judged by an independent observer (docs/guides/soak.md).
import './bootstrap/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, EVERYTHING, ROOT } from './bootstrap/index.mjs';
import { ensureRedis } from './bootstrap/redis.mjs';

await bootstrap(EVERYTHING);
await ensureRedis();
const file = join(ROOT, 'test', 'dist', 'soak', 'main.js');
process.argv = [process.argv[0], file, ...process.argv.slice(2)];
await import(pathToFileURL(file).href);
