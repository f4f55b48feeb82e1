// npm run build:control-plane: makes a folder from which a control plane and its home agent run without this checkout: the
// programs, and the packages that they need in production. `--out DIR` makes it elsewhere than in dist/control-plane.
import './bootstrap/node-version.mjs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bootstrap, PRODUCT, ROOT, printMessage } from './bootstrap/index.mjs';
import { npmCommand } from './bootstrap/npm-command.mjs';
import { runProgram } from './bootstrap/run-program.mjs';
import { describeThirdParty } from './verify/licences.mjs';

const PROGRAMS = ['shared/dist', 'control-plane/dist', 'control-plane/console/dist', 'agent/dist', 'proto'];
const FOR_OPERATORS = ['deploy', 'docs/guides'];
/** These are files of tests and types, what tests run, and settings of this machine. */
const LEFT_OUT = /(?:\.test\.js|\.test\.js\.map|\.mjs|\.mjs\.map|\.d\.ts|\.tsbuildinfo|\.env)$/;

/** Half of what packages install: types, their sources, maps of sources, and the builds of TypeORM for browsers. */
const NEVER_LOADED = /\.(?:[cm]?tsx?|map)$|\/typeorm\/browser\//;

const { values: given } = parseArgs({ options: { out: { type: 'string' } } });
const out = resolve(given.out ?? join(ROOT, 'dist', 'control-plane'));

await bootstrap(PRODUCT);
const { workspaces } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
await mkdir(out, { recursive: true });
const files = ['package.json', 'package-lock.json', ...workspaces.map((folder) => join(folder, 'package.json'))];
for (const path of [...files, ...PROGRAMS, ...FOR_OPERATORS]) {
  await rm(join(out, path), { recursive: true, force: true });
  await cp(join(ROOT, path), join(out, path), { recursive: true, filter: (source) => !LEFT_OUT.test(source) });
}
// Imported late, because esbuild may have been installed just now.
const { bundleControlPlane } = await import('./artefact/bundle-control-plane.mjs');
await bundleControlPlane(ROOT, join(out, 'control-plane', 'dist', 'main.js'));
const args = ['ci', '--omit=dev', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', out];
await runProgram('npm ci', ...npmCommand(args));
// Entries with types are not followed where they are links: those lead to the programs.
for (const entry of await readdir(join(out, 'node_modules'), { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && NEVER_LOADED.test(path)) await rm(path);
}
await writeFile(join(out, 'THIRD_PARTY.txt'), await describeThirdParty());
printMessage(`${out} has the control plane: node control-plane/dist/main.js`);
