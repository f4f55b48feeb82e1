import { access, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT, printMessage } from './root.mjs';
import { runProgram } from './run-program.mjs';

const SOURCES = { shared: 'src', 'control-plane': 'src', agent: 'src', test: '.' };
const COMPILED = /\.(?:js|js\.map|d\.ts)$/;

/** Compiles these projects and their references, if their sources have changed. */
export async function build(projects) {
  await Promise.all(Object.entries(SOURCES).map(([project, source]) => prune(project, source)));
  // The first build takes long, so that it is announced.
  if (!(await exists(join(ROOT, 'shared', 'dist')))) printMessage('Compiling …');
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await runProgram('The TypeScript compiler', process.execPath, [tsc, '-b', ...projects]);
}

/** Removes the compiled files of deleted sources. The compiler keeps them, and tests and entities are found by name. */
async function prune(project, source) {
  const dist = join(ROOT, project, 'dist');
  const entries = await readdir(dist, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || !COMPILED.test(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const origin = join(ROOT, project, source, path.slice(dist.length + 1).replace(COMPILED, '.ts'));
    if (await exists(origin)) continue;
    await rm(path, { force: true });
    // Otherwise the compiler would assume that the compiled file exists when its source is restored.
    await rm(join(dirname(dist), 'tsconfig.tsbuildinfo'), { force: true });
    await rm(join(dist, 'tsconfig.tsbuildinfo'), { force: true });
  }
}

async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
