// npm run control-plane | agent | admin | watchpost -- …: runs one program of the product.
import './bootstrap/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, ROOT, printMessage } from './bootstrap/index.mjs';

/** `lasts`: it handles signals itself, from its first moment on. */
const PROGRAMS = {
  'control-plane': { projects: ['shared', 'control-plane', 'agent'], file: 'control-plane/dist/main.js', lasts: true },
  agent: { projects: ['shared', 'agent'], file: 'agent/dist/main.js', lasts: true },
  admin: { projects: ['shared', 'control-plane'], file: 'control-plane/dist/admin.js' },
  watchpost: { projects: ['scripts/cli'], file: 'scripts/cli/dist/main.js' },
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
// Files are named from the folder in which npm was called.
if (name === 'watchpost' && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
// The program gets only its own arguments, as if its file were run.
process.argv = [process.argv[0], file, ...args];
if (program.lasts) for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
await import(pathToFileURL(file).href);
