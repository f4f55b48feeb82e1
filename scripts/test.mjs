// npm test: every suite, against a real PostgreSQL made for this run (or TEST_DATABASE_URL) and, where there can be one, a real Redis.
import './bootstrap/node-version.mjs';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, EVERYTHING, ROOT } from './bootstrap/index.mjs';
import { ensureRedis } from './bootstrap/redis.mjs';

const SUITES = [
  { name: 'unit', folders: ['shared/dist', 'control-plane/dist', 'agent/dist'], ending: '.test.js', minutes: 5 },
  { name: 'integration', folders: ['test/dist/integration'], ending: '.it.js', minutes: 8 },
  { name: 'contract', folders: ['test/dist/contract'], ending: '.it.js', minutes: 3 },
  { name: 'browser', folders: ['test/dist/browser'], ending: '.it.js', minutes: 3 },
  // Real processes that are killed and started: they need their patience.
  { name: 'scenario', folders: ['test/dist/scenario'], ending: '.it.js', minutes: 10, timeoutMs: 120_000 },
];
const MOCHA = join(ROOT, 'node_modules', 'mocha', 'bin', 'mocha.js');

await bootstrap(EVERYTHING);
const hasRedis = await ensureRedis();
const work = await mkdtemp(join(tmpdir(), 'watchpost-npm-test-'));
let running;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interrupted = true;
    running?.kill('SIGTERM');
  });
}

const total = { passed: 0, failed: 0, skipped: [] };
const database = await startDatabase();
try {
  for (const suite of SUITES) {
    const files = await filesOf(suite);
    if (files.length === 0 || interrupted) continue;
    console.log(`\n── ${suite.name} ──`);
    const { passed, failed, skipped } = await runSuite(suite, files);
    total.passed += passed;
    total.failed += failed;
    total.skipped.push(...skipped.map((title) => `${suite.name}: ${title}`));
  }
} finally {
  await database?.stop();
  await rm(work, { recursive: true, force: true });
}

if (total.skipped.length > 0) console.log(`\nSkipped:\n${total.skipped.map((title) => `  ${title}`).join('\n')}\n`);
if (!hasRedis)
  console.log('What needs Redis was skipped: there is no redis-server on the path, and none could be unpacked.\n');
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`);
process.exit(interrupted ? 130 : total.failed > 0 || total.passed === 0 ? 1 : 0);

/** One server for all suites; with TEST_DATABASE_URL somebody has one already. */
async function startDatabase() {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const load = (file) => import(pathToFileURL(join(ROOT, file)).href);
  const { startEmbeddedPostgres } = await load('control-plane/dist/db/embedded/index.js');
  const { TEST_SERVER_SETTINGS } = await load('test/dist/support/test-server.js');
  const tell = (fields, text) => console.error(text, fields);
  const logger = { info: () => {}, warn: tell, error: tell };
  const server = await startEmbeddedPostgres({ dataDir: join(work, 'data'), logger, settings: TEST_SERVER_SETTINGS });
  process.env.TEST_DATABASE_URL = server.url;
  return server;
}

async function filesOf({ folders, ending }) {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const paths = await readdir(join(ROOT, folder), { recursive: true }).catch(() => []);
      return paths.filter((path) => path.endsWith(ending)).map((path) => `${folder}/${path}`);
    }),
  );
  return lists.flat().toSorted();
}

async function runSuite({ name, minutes, timeoutMs }, files) {
  const summary = join(work, `${name}.json`);
  const reporter = ['--reporter', join(ROOT, 'scripts', 'reporter.cjs'), '--reporter-option', `file=${summary}`];
  const patience = timeoutMs === undefined ? [] : ['--timeout', String(timeoutMs)];
  const child = spawn(process.execPath, [MOCHA, ...reporter, ...patience, ...files], { cwd: ROOT, stdio: 'inherit' });
  running = child;
  const deadline = setTimeout(() => {
    console.log(`The ${name} suite took more than ${minutes} minutes and was stopped.`);
    child.kill('SIGKILL');
  }, minutes * 60_000);
  const status = await new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  clearTimeout(deadline);
  running = undefined;
  try {
    const result = JSON.parse(await readFile(summary, 'utf8'));
    // Something went wrong outside of any test.
    if (status !== 0 && result.failed === 0) result.failed = 1;
    return result;
  } catch {
    console.log(`The ${name} suite did not come to its end (${status}).`);
    return { passed: 0, failed: 1, skipped: [] };
  }
}
