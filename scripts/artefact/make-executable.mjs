import { execFile } from 'node:child_process';
import { chmod, copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { executableName, shippedNode } from '../bootstrap/shipped-node.mjs';
import { bundleForExecutable } from './bundle-agent.mjs';

const run = promisify(execFile);

/**
 * Builds the Node.js that we ship with the agent inside (https://nodejs.org/api/single-executable-applications.html).
 * @param target the machines that will run it, which may be others than this one
 * @returns its path
 */
export async function makeExecutable(root, out, target) {
  const executable = join(out, executableName(target));
  const draft = `${executable}.new`;
  const stripped = join(out, 'node-stripped');
  const config = join(out, 'sea-config.json');
  const bundle = await bundleForExecutable(root, out);
  try {
    const node = await shippedNode();
    await copyFile(await shippedNode(target), stripped);
    // Symbols are a fifth of the file. Stripping must precede the injection, because it would remove the agent.
    if (target.startsWith('linux-')) await run('strip', [stripped]).catch(() => {});
    const options = { main: bundle, executable: stripped, output: draft, disableExperimentalSEAWarning: true };
    await writeFile(config, JSON.stringify(options));
    await run(node, ['--build-sea', config]);
    await chmod(draft, 0o755);
    await rename(draft, executable);
  } finally {
    await Promise.all([bundle, stripped, config, draft].map((file) => rm(file, { force: true })));
  }
  return executable;
}
