// npm run build:agent: builds the agent as one file for Node.js and as one self-contained executable for this machine, or
// for each `--arch x64` and `--arch arm64`.
// `--out DIR` writes them to a folder other than dist/agent, `--bundle-only` omits the executable, and `--compiled` uses
// the sources that are compiled already.
import './bootstrap/node-version.mjs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeChecksums } from './artefact/write-checksums.mjs';
import { bootstrap, ROOT, printMessage } from './bootstrap/index.mjs';
import { hasShippedNode, SHIPPED_VERSION, shippedLicence } from './bootstrap/shipped-node.mjs';
import { describeThirdParty } from './verify/licences.mjs';

const { values: given } = parseArgs({
  options: {
    out: { type: 'string' },
    arch: { type: 'string', multiple: true },
    'bundle-only': { type: 'boolean' },
    compiled: { type: 'boolean' },
  },
});
const out = given.out ?? join(ROOT, 'dist', 'agent');

await bootstrap(given.compiled ? [] : ['agent']);
const { bundleAgent } = await import('./artefact/bundle-agent.mjs');
const { makeExecutable } = await import('./artefact/make-executable.mjs');
const { BUILD } = await import('@watchpost/shared/build');

await mkdir(out, { recursive: true });
const files = [await bundleAgent(ROOT, out)];
if (!given['bundle-only']) {
  if (!hasShippedNode)
    throw new Error('The single executable is made on Linux, on x64 or arm64, for the same: add --bundle-only.');
  for (const architecture of given.arch ?? [process.arch]) files.push(await makeExecutable(ROOT, out, architecture));
}

const sums = await writeChecksums(
  out,
  files.map((file) => basename(file)),
);
printMessage(`Watchpost agent ${BUILD}, for Node.js 20.19 or later; the executable has ${SHIPPED_VERSION} inside.`);
printMessage(`${out} has`);
for (const [index, sum] of sums.entries()) {
  const { size } = await stat(files[index]);
  printMessage(`${sum} (${(size / 1e6).toFixed(1)} MB)`);
}
const inside = given['bundle-only'] ? [] : [[`Node.js ${SHIPPED_VERSION}, in the executables`, await shippedLicence()]];
await writeFile(join(out, 'THIRD_PARTY.txt'), await describeThirdParty(inside));
