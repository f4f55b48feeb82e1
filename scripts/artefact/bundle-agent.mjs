import { join } from 'node:path';
import { build } from 'esbuild';

// CommonJS packages in the bundle need these.
const REQUIRE =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

/** Bundles the agent into one file for `node`. @returns its path */
export async function bundleAgent(root, out) {
  const outfile = join(out, 'watchpost-agent.mjs');
  await bundle(root, { outfile, format: 'esm', banner: { js: REQUIRE } });
  return outfile;
}

/** Bundles the agent as CommonJS, which a single executable requires. @returns its path */
export async function bundleForExecutable(root, out) {
  const outfile = join(out, 'watchpost-agent.cjs');
  await bundle(root, { outfile, format: 'cjs' });
  return outfile;
}

async function bundle(root, options) {
  await build({
    entryPoints: [join(root, 'agent', 'dist', 'main.js')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    minify: true,
    keepNames: true,
    legalComments: 'eof',
    logLevel: 'warning',
    ...options,
  });
}
