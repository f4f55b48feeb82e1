import { execFile } from 'node:child_process';
import { chmod, copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleForExecutable } from './bundle-agent.mjs';

const run = promisify(execFile);
/** The marker that postject searches in a Node.js binary. It is the same for every version. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Builds Node.js with the agent inside (https://nodejs.org/api/single-executable-applications.html) for the present
 * platform.
 * @returns its path
 */
export async function makeExecutable(root, out) {
  if (process.platform !== 'linux') throw new Error('The single executable is made on Linux, for Linux.');
  const target = join(out, `watchpost-agent-linux-${process.arch}`);
  const draft = `${target}.new`;
  const blob = join(out, 'watchpost-agent.blob');
  const config = join(out, 'sea-config.json');
  const bundle = await bundleForExecutable(root, out);
  try {
    const options = { main: bundle, output: blob, disableExperimentalSEAWarning: true };
    await writeFile(config, JSON.stringify(options));
    await run(process.execPath, ['--experimental-sea-config', config]);
    await copyFile(process.execPath, draft);
    await chmod(draft, 0o755);
    // Symbols are a fifth of the file. Stripping must precede the injection, because it would remove the agent.
    await run('strip', [draft]).catch(() => {});
    // A separate process, because postject prints irrelevant warnings about sections.
    const postject = join(root, 'node_modules', 'postject', 'dist', 'cli.js');
    await run(process.execPath, [postject, draft, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE]);
    await rename(draft, target);
  } finally {
    await Promise.all([bundle, blob, config, draft].map((file) => rm(file, { force: true })));
  }
  return target;
}
