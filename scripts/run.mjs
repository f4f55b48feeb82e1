// npm run control-plane | agent | admin -- …: runs one program of the product.
import './bootstrap/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, ROOT, printMessage } from './bootstrap/index.mjs';

const PROGRAMS = {
  'control-plane': { projects: ['shared', 'control-plane', 'agent'], file: 'control-plane/dist/main.js' },
  agent: { projects: ['shared', 'agent'], file: 'agent/dist/main.js' },
  admin: { projects: ['shared', 'control-plane'], file: 'control-plane/dist/admin.js' },
};

const [name, ...args] = process.argv.slice(2);
const program = PROGRAMS[name];
if (program === undefined) {
  printMessage(`Name the program to run: ${Object.keys(PROGRAMS).join(', ')}.`);
  process.exit(2);
}
await bootstrap(program.projects);

const file = join(ROOT, program.file);
process.env.DATA_DIR ??= join(ROOT, name === 'agent' ? '.data/agent' : '.data');
// The program gets only its own arguments, as if its file were run.
process.argv = [process.argv[0], file, ...args];
if (name !== 'admin') for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
await import(pathToFileURL(file).href);
