import { join } from 'node:path';
import { bundle, REQUIRE } from './bundle.mjs';

/** Bundles the agent into one file for `node`. */
export async function bundleAgent(root, outfile) {
  await bundle({ entryPoints: [entryOf(root)], outfile, format: 'esm', banner: { js: REQUIRE } });
}

/** Bundles the agent as CommonJS, which a single executable requires. @returns its path */
export async function bundleForExecutable(root, out) {
  const outfile = join(out, 'watchpost-agent.cjs');
  await bundle({ entryPoints: [entryOf(root)], outfile, format: 'cjs' });
  return outfile;
}

function entryOf(root) {
  return join(root, 'agent', 'dist', 'main.js');
}
