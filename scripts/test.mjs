// npm test: every suite but the long ones; npm run test:long: the long ones (test/**/*.long.ts). Both run against a
// real PostgreSQL made for this run (or TEST_DATABASE_URL) and, where there can be one, a real Redis.
import './bootstrap/node-version.mjs';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, EVERYTHING, ROOT } from './bootstrap/index.mjs';
import { ensureRedis } from './bootstrap/redis.mjs';

/**
 * In the order in which they start: those that wait most go first, so that the others fill their waits.
 * `filesAJob`: how many files share a process, which takes two seconds of processor time to start.
 */
const SUITES = [
  {
    name: 'scenario',
    folders: ['test/dist/scenario'],
    ending: '.it.js',
    minutes: 12,
    filesAJob: 3,
    timeoutMs: 120_000,
  },
  { name: 'integration', folders: ['test/dist/integration'], ending: '.it.js', minutes: 15, filesAJob: 10 },
  { name: 'browser', folders: ['test/dist/browser'], ending: '.it.js', minutes: 5, filesAJob: 3 },
  { name: 'contract', folders: ['test/dist/contract'], ending: '.it.js', minutes: 15, filesAJob: 4 },
  {
    name: 'unit',
    folders: ['shared/dist', 'control-plane/dist', 'agent/dist'],
    ending: '.test.js',
    minutes: 8,
    filesAJob: 60,
  },
];
/** Endurance and attacks that take minutes each: held to seconds, so one at a time. */
const LONG_SUITES = [
  {
    name: 'long',
    folders: ['test/dist'],
    ending: '.long.js',
    minutes: 15,
    filesAJob: 1,
    timeoutMs: 300_000,
    isLive: true,
  },
];
const isLong = process.argv.includes('--long');
/** `npm test -- delivery` runs the files whose path has `delivery` in it. */
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** A test waits for others most of its time, so twice as many processes as processors keep these busy. */
const LANES = isLong ? 1 : Math.min(8, 2 * availableParallelism());
const SLOWEST_LISTED = 10;
/** Mocha without its launcher, which would start a second process for the sake of this flag. */
const MOCHA = ['--enable-source-maps', join(ROOT, 'node_modules', 'mocha', 'lib', 'cli', 'cli.js')];

await bootstrap(EVERYTHING);
const hasRedis = await ensureRedis();
const work = await mkdtemp(join(tmpdir(), 'watchpost-npm-test-'));
const running = new Set();
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interruption.abort();
    for (const child of running) child.kill('SIGTERM');
  });
}

const startedMs = Date.now();
const total = { passed: 0, failures: [], skipped: [], files: [] };
const database = await startDatabase();
try {
  const jobs = (await Promise.all((isLong ? LONG_SUITES : SUITES).map(jobsOf))).flat();
  await Promise.all(Array.from({ length: LANES }, () => workThrough(jobs)));
} finally {
  await database.release();
  await rm(work, { recursive: true, force: true });
}

if (total.skipped.length > 0) console.log(`\nSkipped:\n${total.skipped.map((title) => `  ${title}`).join('\n')}\n`);
if (!hasRedis)
  console.log('What needs Redis was skipped: there is no redis-server on the path, and none could be unpacked.\n');
// Repeated at the end, because often only the tail of the output is kept.
for (const { title, reason } of total.failures) console.log(`\nFailed: ${title}\n${reason}`);
const slowest = total.files.toSorted((a, b) => b[1].wallMs - a[1].wallMs).slice(0, SLOWEST_LISTED);
console.log(`\nThe slowest files of a run of ${seconds(Date.now() - startedMs)}:`);
for (const [file, { wallMs, cpuMs }] of slowest)
  console.log(`  ${seconds(wallMs).padStart(8)}  ${seconds(cpuMs).padStart(8)} CPU  ${sourceOf(relative(ROOT, file))}`);
const failed = total.failures.length;
console.log(`\n${total.passed} passed, ${failed} failed, ${total.skipped.length} skipped`);
process.exit(interruption.signal.aborted ? 130 : failed > 0 || total.passed === 0 ? 1 : 0);

/** One server for all processes of the run. */
async function startDatabase() {
  const { useTestServer } = await import(pathToFileURL(join(ROOT, 'test/dist/support/test-server.js')).href);
  const server = await useTestServer();
  process.env.TEST_DATABASE_URL = server.url;
  if (server.logFile !== undefined) process.env.TEST_DATABASE_LOG = server.logFile;
  return server;
}

/** What each process of mocha runs. */
async function jobsOf(suite) {
  const files = await filesOf(suite);
  const jobs = Math.ceil(files.length / suite.filesAJob);
  return Array.from({ length: jobs }, (_, part) => {
    // Neighbours go to different jobs: the slow files of a suite are in few folders.
    const own = files.filter((_, index) => index % jobs === part);
    return { ...suite, name: suite.filesAJob === 1 ? sourceOf(own[0]) : `${suite.name}, part ${part + 1}`, files: own };
  });
}

async function workThrough(jobs) {
  for (let job = jobs.shift(); job !== undefined && !interruption.signal.aborted; job = jobs.shift()) {
    const { passed, failures, skipped, files = [] } = await run(job);
    total.passed += passed;
    total.failures.push(...failures.map(({ title, reason }) => ({ title: `${job.name}: ${title}`, reason })));
    total.skipped.push(...skipped.map((title) => `${job.name}: ${title}`));
    total.files.push(...files);
  }
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** `test/dist/x.it.js` comes from `test/x.it.ts`, and `agent/dist/x.test.js` from `agent/src/x.test.ts`. */
function sourceOf(path) {
  return path
    .replace(/^test\/dist\//, 'test/')
    .replace(/\/dist\//, '/src/')
    .replace(/\.js$/, '.ts');
}

async function filesOf({ folders, ending }) {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const paths = await readdir(join(ROOT, folder), { recursive: true }).catch(() => []);
      // Compiled files outlive their sources.
      return paths
        .filter((path) => path.endsWith(ending))
        .map((path) => `${folder}/${path}`)
        .filter((path) => existsSync(join(ROOT, sourceOf(path))))
        .filter((path) => wanted.length === 0 || wanted.some((word) => sourceOf(path).includes(word)));
    }),
  );
  return lists.flat().toSorted();
}

/** Runs one mocha. The output of one of several is shown when it has ended, so that outputs do not mix. */
async function run({ name, minutes, timeoutMs, isLive, files }) {
  const summary = join(work, `${name.replace(/\W+/g, '-')}.json`);
  const reporter = ['--reporter', join(ROOT, 'scripts', 'reporter.cjs'), '--reporter-option', `file=${summary}`];
  const patience = timeoutMs === undefined ? [] : ['--timeout', String(timeoutMs)];
  const heading = `\n── ${name} ──`;
  if (isLive) console.log(heading);
  const child = spawn(process.execPath, [...MOCHA, ...reporter, ...patience, ...files], {
    cwd: ROOT,
    stdio: isLive ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  running.add(child);
  let late = '';
  const deadline = setTimeout(() => {
    late = `The ${name} suite took more than ${minutes} minutes and was stopped.\n`;
    child.kill('SIGKILL');
  }, minutes * 60_000);
  const status = await new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  clearTimeout(deadline);
  running.delete(child);
  if (!isLive) console.log(`${heading}\n${Buffer.concat(output).toString()}`);
  if (late !== '') console.log(late);
  try {
    const result = JSON.parse(await readFile(summary, 'utf8'));
    if (status !== 0 && result.failures.length === 0)
      result.failures.push(outsideOfTests(`it ended with ${status}`, output));
    return result;
  } catch {
    return { passed: 0, failures: [outsideOfTests(`it did not come to its end (${status})`, output)], skipped: [] };
  }
}

/** A failure that belongs to no test, with the end of the job's output. */
function outsideOfTests(what, output) {
  const tail = Buffer.concat(output).toString().split('\n').slice(-40).join('\n');
  return { title: what, reason: tail };
}
