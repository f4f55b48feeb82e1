import { build } from 'esbuild';

/** CommonJS packages in a bundle of modules need these. */
export const REQUIRE =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

/** Bundles a compiled program and all that it imports into one file for Node.js 20. */
export async function bundle(options) {
  await build({
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
