// A redis-server for tests: the one on the path, or Debian's package unpacked without root.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, printMessage } from './root.mjs';

/** test/support/redis.ts uses the same path. */
const FOLDER = join(ROOT, 'node_modules', '.cache', 'redis');
const DEADLINE_MS = 90_000;
/** After a failure, runs within this time do without Redis and do not try again. */
const FORGET_FAILURE_MS = 60 * 60_000;
const PACKAGES = ['redis-server', 'redis-tools'];
/** Packages of the machine itself. A different version of them would not fit the machine. */
const NEVER = new Set(['libc6', 'adduser', 'init-system-helpers', 'lsb-base']);

/** @returns whether tests find a redis-server, on the path or unpacked now or before */
export async function ensureRedis(folder = FOLDER) {
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => path !== '');
  for (const program of [...paths, folder].map((path) => join(path, 'redis-server'))) {
    if (await works(program)) return true;
  }
  const failure = join(folder, 'failed');
  const failed = await stat(failure).catch(() => undefined);
  if (failed && Date.now() - failed.mtimeMs < FORGET_FAILURE_MS) return false;
  printMessage('Unpacking redis-server from the Debian package, for tests …');
  await mkdir(folder, { recursive: true });
  try {
    await unpack(folder, performance.now() + DEADLINE_MS);
    return true;
  } catch (error) {
    printMessage(`That did not work: ${error.message}`);
    await writeFile(failure, `${error.message}\n`);
    return false;
  }
}

async function unpack(folder, deadline) {
  const work = await mkdtemp(join(folder, 'new-'));
  try {
    const files = join(work, 'files');
    const apt = await aptWithLists(work, deadline);
    await apt.unpack(PACKAGES, files);
    const folders = libraryFolders(files);
    // Level by level: what the packages need, then what that needs, until nothing is missing.
    const seen = new Set(PACKAGES);
    for (let level = PACKAGES; (await missing(files, folders, deadline)) && seen.size < 60;) {
      level = (await apt.dependencies(level)).filter((name) => !seen.has(name) && !NEVER.has(name));
      if (level.length === 0) throw new Error('libraries are missing that no package has');
      for (const name of level) seen.add(name);
      await apt.unpack(level, files);
    }
    const target = join(folder, 'files');
    await rm(target, { recursive: true, force: true });
    await rename(files, target);
    const libraries = folders.map((path) => path.replace(files, target)).join(':');
    const program = join(folder, 'redis-server');
    await writeFile(
      `${program}.new`,
      `#!/bin/sh\nLD_LIBRARY_PATH='${libraries}' exec '${join(target, 'usr/bin/redis-server')}' "$@"\n`,
    );
    await chmod(`${program}.new`, 0o755);
    await rename(`${program}.new`, program);
    if (!(await works(program))) throw new Error('it does not run');
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** apt with the package lists of the machine or, if they are missing or old, with separate lists. */
async function aptWithLists(work, deadline) {
  const state = join(work, 'state');
  const cache = join(work, 'cache');
  const own = [`Dir::State=${state}`, 'Dir::State::status=/var/lib/dpkg/status', `Dir::Cache=${cache}`];
  const limits = ['Acquire::Retries=1', 'Acquire::http::Timeout=15', 'Acquire::https::Timeout=15'];
  const downloads = join(work, 'downloads');
  await mkdir(downloads);
  const apt = (options) => {
    const flags = [...limits, ...options].flatMap((option) => ['-o', option]);
    return {
      async unpack(packages, into) {
        await run('apt-get', [...flags, '-qq', 'download', ...packages], { cwd: downloads, deadline });
        for (const file of await readdir(downloads)) {
          await run('dpkg', ['-x', join(downloads, file), into], { deadline });
          await rm(join(downloads, file));
        }
      },
      async dependencies(packages) {
        const only = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances', 'pre-depends'];
        const text = await run('apt-cache', [...flags, 'depends', ...only.map((kind) => `--no-${kind}`), ...packages], {
          deadline,
        });
        return [...new Set([...text.matchAll(/^ {2}Depends: ([a-z0-9.+-]+)$/gm)].map((match) => match[1]))];
      },
    };
  };
  const machine = apt([]);
  try {
    await machine.unpack(PACKAGES, join(work, 'files'));
    return machine;
  } catch {
    await mkdir(join(state, 'lists', 'partial'), { recursive: true });
    await mkdir(join(cache, 'archives', 'partial'), { recursive: true });
    await run('apt-get', [...[...limits, ...own].flatMap((option) => ['-o', option]), '-qq', 'update'], { deadline });
    return apt(own);
  }
}

function libraryFolders(files) {
  const machine = { x64: 'x86_64', arm64: 'aarch64' }[process.arch] ?? process.arch;
  return ['lib', 'usr/lib'].flatMap((base) => [join(files, base), join(files, base, `${machine}-linux-gnu`)]);
}

async function missing(files, folders, deadline) {
  const text = await run('ldd', [join(files, 'usr/bin/redis-server')], {
    deadline,
    env: { ...process.env, LD_LIBRARY_PATH: folders.join(':') },
  });
  return / not found/.test(text);
}

function works(program) {
  return run(program, ['--version'], { deadline: performance.now() + 5_000 }).then(
    () => true,
    () => false,
  );
}

/** @returns the program's standard output @throws with its last line of standard error when it fails */
async function run(command, args, { cwd = ROOT, env = process.env, deadline }) {
  const options = {
    cwd,
    env,
    timeout: Math.max(1, Math.ceil(deadline - performance.now())),
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 26,
  };
  const { stdout } = await promisify(execFile)(command, args, options).catch(({ stderr = '', signal, code }) => {
    throw new Error(`${command}: ${stderr.trim().split('\n').at(-1) || (signal ?? code)}`);
  });
  return stdout;
}
