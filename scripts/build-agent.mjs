// npm run build:agent: builds the agent as one file for Node.js and as one self-contained executable for this machine, or
// for each `--target`: linux-x64, linux-arm64, macos-arm64, windows-x64.
// `--out DIR` writes them to a folder other than dist/agent, `--bundle-only` omits the executable, and `--compiled` uses
// the sources that are compiled already.
import './bootstrap/node-version.mjs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeChecksums } from './artefact/write-checksums.mjs';
import { bootstrap, ROOT, printMessage } from './bootstrap/index.mjs';
import { hasShippedNode, shippedLicence, TARGETS, versionFor } from './bootstrap/shipped-node.mjs';
import { describeThirdParty } from './verify/licences.mjs';

const { values: given } = parseArgs({
  options: {
    out: { type: 'string' },
    target: { type: 'string', multiple: true },
    'bundle-only': { type: 'boolean' },
    compiled: { type: 'boolean' },
  },
});
const unknown = given.target?.find((target) => !TARGETS.includes(target));
if (unknown !== undefined) throw new Error(`There is no target ${unknown}, only ${TARGETS.join(', ')}.`);
const targets = given['bundle-only'] ? [] : (given.target ?? [`${process.platform}-${process.arch}`]);
if (targets.length > 0 && !hasShippedNode)
  throw new Error('Executables are made on Linux, on x64 or arm64: add --bundle-only.');
const out = given.out ?? join(ROOT, 'dist', 'agent');

await bootstrap(given.compiled ? [] : ['agent']);
const { bundleAgent } = await import('./artefact/bundle-agent.mjs');
const { makeExecutable } = await import('./artefact/make-executable.mjs');
const { BUILD } = await import('@watchpost/shared/build');

await mkdir(out, { recursive: true });
const files = [join(out, 'watchpost-agent.mjs')];
await bundleAgent(ROOT, files[0]);
for (const target of targets) files.push(await makeExecutable(ROOT, out, target));

const sums = await writeChecksums(
  out,
  files.map((file) => basename(file)),
);
printMessage(`Watchpost agent ${BUILD}, for Node.js 20.19 or later.`);
for (const target of targets) printMessage(`The executable for ${target} has ${versionFor(target)} inside.`);
printMessage(`${out} has`);
for (const [index, sum] of sums.entries()) {
  const { size } = await stat(files[index]);
  printMessage(`${sum} (${(size / 1e6).toFixed(1)} MB)`);
}
const inside = targets.length === 0 ? [] : [['Node.js, in the executables', await shippedLicence()]];
await writeFile(join(out, 'THIRD_PARTY.txt'), await describeThirdParty(inside));
