// npm test: every suite but the long ones; npm run test:long: the long ones (test/**/*.long.ts). Both run against a
// real PostgreSQL made for this run (or TEST_DATABASE_URL) and, where there can be one, a real Redis. With --shipped-node
// they run on the Node.js that artefacts have inside.
import './bootstrap/node-version.mjs';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, EVERYTHING, ROOT } from './bootstrap/index.mjs';
import { ensureRedis } from './bootstrap/redis.mjs';
import { runOnShippedNodeWhereAsked } from './bootstrap/shipped-node.mjs';

/**
 * In the order in which they start: those that wait most go first, so that the others fill their waits.
 * `filesAJob`: how many files share a process of their own. Without it, a process runs file after file.
 */
const SUITES = [
  { name: 'scenario', folders: ['test/dist/scenario'], ending: '.it.js', minutes: 30 },
  // Its files share an app, which ends with them.
  { name: 'contract', folders: ['test/dist/contract'], ending: '.it.js', minutes: 30, filesAJob: 4 },
  { name: 'integration', folders: ['test/dist/integration'], ending: '.it.js', minutes: 30 },
  { name: 'browser', folders: ['test/dist/browser'], ending: '.it.js', minutes: 30 },
  {
    name: 'unit',
    folders: [
      'shared/dist',
      'control-plane/dist',
      'control-plane/console/compiled',
      'agent/dist',
      'scripts/cli/dist',
      'test/dist/bench',
      'test/dist/soak',
    ],
    ending: '.test.js',
    minutes: 10,
    // These wait for nothing; some fail only by taking longer.
    timeoutMs: 120_000,
  },
];
/** Files of half a minute or more. They start first, so that none of them is left running alone at the end. */
const LONGEST = [
  'integration/agent/agent',
  'browser/console/newcomer',
  'integration/figures/rollups',
  'integration/agent/enrolment',
  // Of the long ones:
  'evaluation/diagnosis/diagnosis',
  'evaluation/diagnosis/diagnosis',
  'browser/console/keyboard',
  'integration/deploy/container-files',
  'contract/fuzz',
  'contract/hostile',
  'browser/console/screens',
  'integration/mcp/clients',
  'integration/figures/packing',
  'browser/console/operations',
  'browser/console/status-pages',
  'integration/verify/nothing-left-running',
  'browser/console/account',
  'browser/console/incident',
  // Of the long scenarios:
  'scenario/killed-paging',
  'scenario/private-location',
  'scenario/soak',
  'scenario/kill-everything',
  'scenario/fleet',
  'scenario/killed-ingest',
  'scenario/rolling-upgrade',
  'scenario/failover',
  'scenario/fairness/agent-share',
  'scenario/fleet-visibility',
];
const SCENARIOS = 'test/dist/scenario';
const LONG_SCENARIO = {
  name: 'scenario',
  folders: [SCENARIOS],
  ending: '.long.js',
  minutes: 40,
  filesAJob: 1,
  timeoutMs: 600_000,
};
/** Scenarios that measure fractions of a second, so that nothing may run beside them; others have seconds to spare. */
const TIMED = ['fairness/public-pages.', 'console-figures.'].map((path) => `${SCENARIOS}/${path}`);
/** First comes what takes long; then scenarios of real processes, which mostly wait; then those that measure times. */
const LONG_PHASES = [
  [{ name: 'long', folders: ['test/dist'], except: [SCENARIOS], ending: '.long.js', minutes: 40, timeoutMs: 600_000 }],
  [{ ...LONG_SCENARIO, except: TIMED, lanes: 4 }],
  [{ ...LONG_SCENARIO, only: TIMED, lanes: 1 }],
];
const isLong = process.argv.includes('--long');
/** `npm test -- delivery` runs the files whose path has `delivery` in it. */
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** A test waits for others most of its time, so twice as many processes as processors keep these busy. */
const LANES = Math.min(8, 2 * availableParallelism());
const SLOWEST_LISTED = 10;
/** So many times longer each test and file may take where pages are slowed down. */
const PATIENCE = process.env.WATCHPOST_TEST_SLOW === '1' ? 3 : 1;
/** Ends the output of a job. */
const END_MARK = '\u001e';

await bootstrap(EVERYTHING);
await runOnShippedNodeWhereAsked();
console.log(`Tests on Node.js ${process.versions.node}`);
const hasRedis = await ensureRedis();
const running = new Set();
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interruption.abort();
    for (const child of running) child.kill('SIGTERM');
  });
}

const startedMs = Date.now();
const total = { passed: 0, failures: [], skipped: [], files: [], phases: [] };
const [database] = await Promise.all([startDatabase(), wanted.length === 0 && bundle()]);
try {
  for (const suites of isLong ? LONG_PHASES : [SUITES]) await runSuites(suites);
} finally {
  await database.release();
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
for (const [index, { tookMs, busy }] of total.phases.entries())
  console.log(
    `Phase ${index + 1} took ${seconds(tookMs)}; the processors were busy ${Math.round(100 * busy)} % of it.`,
  );
const failed = total.failures.length;
console.log(`\n${total.passed} passed, ${failed} failed, ${total.skipped.length} skipped`);
process.exit(interruption.signal.aborted ? 130 : failed > 0 || total.passed === 0 ? 1 : 0);

/** Control planes and agents run as they are shipped, which starts faster. To make it takes longer than a few files save. */
async function bundle() {
  const { bundleControlPlane } = await import('./artefact/bundle-control-plane.mjs');
  const { bundleAgent } = await import('./artefact/bundle-agent.mjs');
  // Where the compiler removes nothing: it did not make these files.
  await bundleControlPlane(ROOT, join(ROOT, 'control-plane', 'dist', 'main.mjs'));
  await bundleAgent(ROOT, join(ROOT, 'agent', 'dist', 'main.mjs'));
  process.env.TEST_BUNDLES = '1';
}

/** One server for all processes of the run. */
async function startDatabase() {
  const { useTestServer } = await import(pathToFileURL(join(ROOT, 'test/dist/support/test-server.js')).href);
  const server = await useTestServer();
  process.env.TEST_DATABASE_URL = server.url;
  if (server.logFile !== undefined) process.env.TEST_DATABASE_LOG = server.logFile;
  return server;
}

async function runSuites(suites) {
  const jobs = (await Promise.all(suites.map(jobsOf))).flat().toSorted((a, b) => placeOf(a) - placeOf(b));
  const lanes = Math.min(...suites.map((suite) => suite.lanes ?? LANES));
  if (jobs.length === 0) return;
  const [sinceMs, before] = [Date.now(), processorMs()];
  await Promise.all(Array.from({ length: lanes }, () => workThrough(jobs)));
  const after = processorMs();
  total.phases.push({ tookMs: Date.now() - sinceMs, busy: (after.busy - before.busy) / (after.all - before.all) });
}

async function jobsOf(suite) {
  const files = await filesOf(suite);
  if (suite.filesAJob === undefined) return files.map((file) => ({ ...suite, title: sourceOf(file), files: [file] }));
  const jobs = Math.ceil(files.length / suite.filesAJob);
  return Array.from({ length: jobs }, (_, part) => {
    // Neighbours go to different jobs: slow files are often beside each other.
    const own = files.filter((_, index) => index % jobs === part);
    return { ...suite, title: own.map(sourceOf).join(', '), files: own };
  });
}

/** Where a job belongs among the others: the longest first, the rest by suite. */
function placeOf({ files }) {
  const place = LONGEST.findIndex((path) => files[0].startsWith(`test/dist/${path}.`));
  return place === -1 ? LONGEST.length : place;
}

async function workThrough(jobs) {
  const lane = { worker: undefined };
  for (let job = jobs.shift(); job !== undefined && !interruption.signal.aborted; job = jobs.shift()) {
    const { passed, failures, skipped, files = [] } = await run(job, lane);
    total.passed += passed;
    total.failures.push(...failures.map(({ title, reason }) => ({ title: `${job.name}: ${title}`, reason })));
    total.skipped.push(...skipped.map((title) => `${job.name}: ${title}`));
    total.files.push(...files);
  }
  await lane.worker?.end();
}

/** The times of all processors together, of all programs of this machine. */
function processorMs() {
  const times = cpus().map((processor) => processor.times);
  const sum = (kinds) => times.flatMap((one) => kinds.map((kind) => one[kind])).reduce((a, b) => a + b, 0);
  const busy = sum(['user', 'nice', 'sys', 'irq']);
  return { busy, all: busy + sum(['idle']) };
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** `test/dist/x.it.js` comes from `test/x.it.ts`, and `agent/dist/x.test.js` from `agent/src/x.test.ts`. */
function sourceOf(path) {
  return path
    .replace(/^test\/dist\//, 'test/')
    .replace(/\/(?:dist|compiled)\//, '/src/')
    .replace(/\.js$/, '.ts');
}

async function filesOf({ folders, only, except = [], ending }) {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const paths = await readdir(join(ROOT, folder), { recursive: true }).catch(() => []);
      // Compiled files outlive their sources.
      return paths
        .filter((path) => path.endsWith(ending))
        .map((path) => `${folder}/${path}`)
        .filter((path) => only === undefined || startsWithAny(path, only))
        .filter((path) => !startsWithAny(path, except))
        .filter((path) => existsSync(join(ROOT, sourceOf(path))))
        .filter((path) => wanted.length === 0 || wanted.some((word) => sourceOf(path).includes(word)));
    }),
  );
  return lists.flat().toSorted();
}

function startsWithAny(path, starts) {
  return starts.some((start) => path.startsWith(start));
}

/** Runs a job, and shows its output when it has ended, so that outputs do not mix. */
async function run(job, lane) {
  const { title, minutes, timeoutMs, filesAJob, files } = job;
  // A job that wants a process of its own leaves none behind.
  const isAlone = filesAJob !== undefined;
  if (isAlone) await lane.worker?.end();
  if (isAlone || lane.worker === undefined) lane.worker = startWorker();
  const { worker } = lane;
  const deadline = setTimeout(() => worker.child.kill('SIGKILL'), minutes * PATIENCE * 60_000);
  const outcome = await worker.run({ files, timeoutMs, patience: PATIENCE, endMark: END_MARK });
  clearTimeout(deadline);
  console.log(`\n── ${title} ──\n${worker.takeOutput()}`);
  if (isAlone || outcome.end !== undefined) {
    await worker.end();
    lane.worker = undefined;
  }
  if (outcome.end === undefined) return outcome;
  const reason = `${title} did not come to its end within ${minutes * PATIENCE} minutes (${outcome.end})`;
  return { passed: 0, failures: [outsideOfTests(reason, outcome.output)], skipped: [] };
}

/** A process that runs jobs one after another. */
function startWorker() {
  const child = spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'scripts', 'test-worker.mjs')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  let onOutput = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      onOutput();
    });
  }
  running.add(child);
  const closed = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  void closed.then(() => running.delete(child));
  return {
    child,
    /** @returns the summary, or how the process ended and the output until then */
    run: (job) =>
      Promise.race([
        new Promise((resolve) => {
          child.once('message', (summary) => {
            // The output comes by another way than the summary.
            onOutput = () => {
              if (output.includes(END_MARK)) resolve(summary);
            };
            onOutput();
          });
          child.send(job);
        }),
        closed.then((end) => ({ end, output })),
      ]),
    takeOutput() {
      const taken = output.replace(END_MARK, '');
      output = '';
      return taken;
    },
    async end() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** A failure that belongs to no test, with the end of the job's output. */
function outsideOfTests(what, output) {
  const tail = output.split('\n').slice(-40).join('\n');
  return { title: what, reason: tail };
}
