import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT, printProgress } from './root.mjs';
import { runProgram } from './run-program.mjs';
import { stampCommit } from './stamp-commit.mjs';

/** Where the sources of each project are, and where its compiled files. */
const PROJECTS = {
  shared: ['src', 'dist'],
  'control-plane': ['src', 'dist'],
  'control-plane/console': ['src', 'compiled'],
  agent: ['src', 'dist'],
  'scripts/cli': ['src', 'dist'],
  test: ['.', 'dist'],
};
const CONSOLE = 'control-plane/console';
const COMPILED = /\.(?:js|js\.map|d\.ts)$/;

/** Compiles these projects and their references, and builds the console, if their sources have changed. */
export async function build(projects) {
  await Promise.all(Object.entries(PROJECTS).map(([project, [source, compiled]]) => prune(project, source, compiled)));
  // The first build takes long, so that it is announced.
  if (!existsSync(join(ROOT, 'shared', 'dist'))) printProgress('Compiling …');
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await Promise.all([
    runProgram('The TypeScript compiler', process.execPath, [tsc, '-b', ...projects]),
    projects.includes(CONSOLE) && buildConsole(),
  ]);
  await stampCommit();
}

/** Imported late, because esbuild may have been installed just now. */
async function buildConsole() {
  const bundler = await import('../../control-plane/console/build.mjs');
  await bundler.buildConsole();
}

/** Removes the compiled files of deleted sources. The compiler keeps them, and tests and entities are found by name. */
async function prune(project, source, compiled) {
  const dist = join(ROOT, project, compiled);
  const entries = await readdir(dist, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || !COMPILED.test(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const origin = join(ROOT, project, source, path.slice(dist.length + 1).replace(COMPILED, '.ts'));
    if (existsSync(origin) || existsSync(`${origin}x`)) continue;
    await rm(path, { force: true });
    // Otherwise the compiler would assume that the compiled file exists when its source is restored.
    await rm(join(dirname(dist), 'tsconfig.tsbuildinfo'), { force: true });
    await rm(join(dist, 'tsconfig.tsbuildinfo'), { force: true });
  }
}
