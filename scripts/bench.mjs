// npm run bench: runs the benches. Each row is compared with its yardstick from the same run. With
// --shipped-node they run on the Node.js that artefacts have inside.
import './bootstrap/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, EVERYTHING, ROOT } from './bootstrap/index.mjs';
import { runOnShippedNodeWhereAsked } from './bootstrap/shipped-node.mjs';

await bootstrap(EVERYTHING);
await runOnShippedNodeWhereAsked();
const file = join(ROOT, 'test', 'dist', 'bench', 'main.js');
process.argv = [process.argv[0], file, ...process.argv.slice(2).filter((word) => word !== '--shipped-node')];
await import(pathToFileURL(file).href);
