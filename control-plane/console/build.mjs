// Builds the console into dist/: scripts and one style sheet with hashed names, each also compressed, and manifest.json,
// by which the control plane serves them. `node control-plane/console/build.mjs` builds and prints the sizes.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { minify } from '@swc/core';
import { build } from 'esbuild';
import { utilitiesCss } from './utilities.mjs';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const DIST = join(FOLDER, 'dist');
const MAPS = join(FOLDER, '.maps');
const DESIGN = join(FOLDER, '../../shared/src/design');
const ENTRY = 'src/main.tsx';
/** Where what the console has in common with others is. */
const SHARED = '../../shared/src/';
/** Later files override earlier ones: parts come before the frame and the screens. */
const STYLE_ORDER = ['style/', 'parts/', 'frame/', 'screens/'];

/**
 * Builds the console, unless the sources are those of the last build.
 * @returns the manifest: `entry` and `style` (names of files), `preload` (scripts that the entry imports), `files` with
 * `bytes`, `gzip` and `brotli` of each, `sizes` of the scripts in compressed bytes (brotli, as over https), `shared` (what the
 * scripts have in common with others), and `sources`, a digest
 */
export async function buildConsole() {
  const former = await readFile(join(DIST, 'manifest.json'), 'utf8').then(JSON.parse, () => undefined);
  if (former?.shared && former.sources === (await digestSources(former.shared))) return former;

  const { outputFiles, metafile } = await build({
    absWorkingDir: FOLDER,
    entryPoints: [{ in: ENTRY, out: 'main' }, 'console.css'],
    outdir: 'dist',
    plugins: [
      { name: 'styles', setup: bundleStyles },
      { name: 'browser-only', setup: leaveOutPrerender },
    ],
    bundle: true,
    splitting: true,
    format: 'esm',
    // The first with light-dark(), popover and AbortSignal.any.
    target: ['chrome123', 'firefox125', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['source'],
    minify: true,
    charset: 'utf8',
    sourcemap: 'external',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });

  const next = `${DIST}.next`;
  for (const folder of [next, MAPS]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  }
  const files = {};
  const textOf = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  await Promise.all(
    [...textOf].map(async ([name, text]) => {
      if (name.endsWith('.map')) return;
      const { code, map } = name.endsWith('.js') ? await shrink(text, textOf.get(`${name}.map`)) : { code: text };
      files[name] = await writeCompressed(join(next, name), Buffer.from(code));
      // Source maps are for us: they are kept beside what is served.
      await writeFile(join(MAPS, `${name}.map`), map ?? textOf.get(`${name}.map`));
    }),
  );
  const shared = Object.keys(metafile.inputs).filter((path) => path.startsWith(SHARED));
  const manifest = { ...describe(metafile.outputs, files), files, shared, sources: await digestSources(shared) };
  await writeFile(join(next, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await rm(DIST, { recursive: true, force: true });
  await rename(next, DIST);
  return manifest;
}

/** A second minifier takes another 3 % of the compressed script: it evaluates, inlines and joins more than the bundler. */
function shrink(code, map) {
  return minify(code, {
    module: true,
    ecma: 2020,
    compress: { ecma: 2020, passes: 3, toplevel: true, keep_fargs: false, unsafe_arrows: true, pure_getters: true },
    mangle: { topLevel: true },
    sourceMap: { content: map },
  });
}

/** The style sheet is the design tokens, all of src and the utilities in one: a new file is found by itself. */
function bundleStyles(bundler) {
  bundler.onResolve({ filter: /^design-tokens$/ }, ({ path }) => ({ path, namespace: 'tokens' }));
  bundler.onLoad({ filter: /.*/, namespace: 'tokens' }, async () => {
    const { TOKENS_CSS, SLOT_RULES, PHASE_RULES } = Object.assign(
      {},
      ...(await Promise.all(['tokens', 'bar', 'phases'].map(loadDesign))),
    );
    return { contents: TOKENS_CSS + SLOT_RULES + PHASE_RULES, loader: 'css' };
  });
  bundler.onResolve({ filter: /^utilities$/ }, ({ path }) => ({ path, namespace: 'utilities' }));
  bundler.onLoad({ filter: /.*/, namespace: 'utilities' }, async () => {
    const paths = (await listSources()).filter((path) => path.endsWith('x'));
    const texts = await Promise.all(paths.map((path) => readFile(join(FOLDER, path), 'utf8')));
    const { STATES } = await loadDesign('states');
    return { contents: utilitiesCss(texts, STATES), loader: 'css' };
  });
  bundler.onResolve({ filter: /^console\.css$/ }, ({ path }) => ({ path, namespace: 'styles' }));
  bundler.onLoad({ filter: /.*/, namespace: 'styles' }, async () => {
    const rank = (path) => STYLE_ORDER.findIndex((start) => path.startsWith(start));
    const paths = (await listSources()).filter((path) => path.endsWith('.css')).map((path) => path.slice(4));
    const ordered = paths.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    return {
      contents: ['design-tokens', ...ordered.map((path) => `./src/${path}`), 'utilities']
        .map((path) => `@import "${path}";`)
        .join('\n'),
      loader: 'css',
      resolveDir: FOLDER,
    };
  });
}

/** preact-iso draws on servers too, by a renderer that a browser never loads: it is left out of what is served. */
function leaveOutPrerender(bundler) {
  bundler.onResolve({ filter: /^\.\/prerender\.js$/ }, ({ path }) => ({ path, namespace: 'prerender' }));
  bundler.onLoad({ filter: /.*/, namespace: 'prerender' }, () => ({ contents: 'export {};' }));
}

/** The design is TypeScript, which other programs import too. */
async function loadDesign(name) {
  const options = { entryPoints: [join(DESIGN, `${name}.ts`)], bundle: true, format: 'esm', write: false };
  const { outputFiles } = await build(options);
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

async function writeCompressed(path, contents) {
  const [zipped, packed] = await Promise.all([
    promisify(gzip)(contents, { level: 9 }),
    promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: contents.length } }),
  ]);
  await Promise.all([writeFile(path, contents), writeFile(`${path}.gz`, zipped), writeFile(`${path}.br`, packed)]);
  return { bytes: contents.length, gzip: zipped.length, brotli: packed.length };
}

function describe(outputs, files) {
  const names = Object.keys(outputs).filter((path) => !path.endsWith('.map'));
  const closure = (path, found = new Set()) => {
    if (found.has(path)) return found;
    found.add(path);
    for (const { path: imported, kind } of outputs[path].imports)
      if (kind === 'import-statement') closure(imported, found);
    return found;
  };
  const entry = names.find((path) => outputs[path].entryPoint === ENTRY);
  const firstScreen = [...closure(entry)].map((path) => basename(path));
  // What is loaded later is an entry of its own, beside what is there already.
  const later = names.filter((path) => outputs[path].entryPoint && path.endsWith('.js') && path !== entry);
  const style = basename(names.find((path) => path.endsWith('.css')));
  const scripts = Object.keys(files).filter((name) => name.endsWith('.js'));
  const brotliOf = (list) => list.reduce((sum, name) => sum + files[name].brotli, 0);
  return {
    entry: basename(entry),
    style,
    preload: firstScreen.filter((name) => name !== basename(entry)),
    sizes: {
      firstScreen: brotliOf(firstScreen),
      screen: Math.max(
        ...later.map((path) => brotliOf([...closure(path, closure(entry))].map((own) => basename(own)))),
      ),
      all: brotliOf(scripts),
      style: files[style].brotli,
    },
  };
}

/** The paths below src, relative to this folder, in a fixed order. */
async function listSources() {
  const entries = await readdir(join(FOLDER, 'src'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(?:tsx?|css)$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(FOLDER, join(entry.parentPath ?? entry.path, entry.name)))
    .toSorted();
}

/** @param shared what was bundled of the programs' common part: another file of it is imported by a source that has changed */
async function digestSources(shared) {
  const hash = createHash('sha256');
  const design = (await readdir(DESIGN)).toSorted().map((name) => relative(FOLDER, join(DESIGN, name)));
  const others = ['build.mjs', 'utilities.mjs', 'package.json', '../../package-lock.json', ...shared];
  for (const path of [...(await listSources()), ...design, ...others]) {
    hash.update(`${path}\0`).update(await readFile(join(FOLDER, path)).catch(() => ''));
  }
  return hash.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { files, sizes } = await buildConsole();
  for (const [name, { bytes, gzip: zipped, brotli }] of Object.entries(files).toSorted()) {
    console.log(
      `${name.padEnd(28)} ${String(bytes).padStart(8)} B ${String(zipped).padStart(7)} gzip ${brotli} brotli`,
    );
  }
  console.log(
    `first screen ${kilobytes(sizes.firstScreen)}, largest screen ${kilobytes(sizes.screen)}, all ${kilobytes(sizes.all)} of script, brotli`,
  );
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
