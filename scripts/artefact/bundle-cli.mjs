import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle, REQUIRE } from './bundle.mjs';

/** Bundles the command line into one file that runs by itself. @returns its path */
export async function bundleCli(root, out) {
  const outfile = join(out, 'watchpost.mjs');
  const banner = { js: `#!/usr/bin/env node\n${REQUIRE}` };
  await bundle({ entryPoints: [join(root, 'scripts', 'cli', 'dist', 'main.js')], outfile, format: 'esm', banner });
  await chmod(outfile, 0o755);
  return outfile;
}
