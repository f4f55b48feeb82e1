import { build } from 'esbuild';

/** CommonJS packages in a bundle of modules need these. */
export const REQUIRE =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

/** The version and the commit are read at the build: beside the bundle there is no file that has them. */
const FROZEN_BUILD = {
  name: 'frozen build',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/shared\/dist\/build\.js$/ }, async () => {
      const constants = Object.entries(await import('@watchpost/shared/build'));
      return {
        contents: constants.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n'),
      };
    }),
};

/** Bundles a compiled program and all that it imports into one file for Node.js 20. */
export async function bundle({ plugins = [], ...options }) {
  await build({
    bundle: true,
    platform: 'node',
    target: 'node20',
    minify: true,
    keepNames: true,
    legalComments: 'eof',
    logLevel: 'warning',
    plugins: [FROZEN_BUILD, ...plugins],
    ...options,
  });
}
