import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';

const MOCHA = ['node_modules/mocha/bin/mocha.js', 'test/dist/integration/db/kept-statements.it.js'];
const BENCH = ['test/dist/bench/main.js', 'alerts', '--runs', '1'];

describe('the processes of a test run', function () {
  this.timeout(900_000);
  let folder: string;
  let child: ChildProcess;
  before(function () {
    // Without procfs a process of a former parent cannot be found.
    if (!existsSync('/proc/self/cwd')) this.skip();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-left-'));
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    await eventually('no process is left', async () => (await processes()).length === 0 || undefined);
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a program of this checkout with a test server of its own. */
  function start(args: readonly string[]): void {
    const { TEST_DATABASE_URL: _, ...env } = process.env;
    child = spawn(process.execPath, args, {
      cwd: resolve('.'),
      env: { ...env, TMPDIR: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  /** The processes that were started with this test's folder for temporary files, or work in it. */
  async function processes(): Promise<string[]> {
    const found: string[] = [];
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const [environment, cwd] = await Promise.all([
        readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
        readlink(`/proc/${pid}/cwd`).catch(() => ''),
      ]);
      if (!environment.includes(`TMPDIR=${folder}`) && !cwd.startsWith(folder)) continue;
      // One that has ended is listed until its parent has noticed.
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (command !== '') found.push(command.replaceAll('\0', ' '));
    }
    return found;
  }

  const usesServer = () =>
    eventually(
      'it uses a PostgreSQL of its own',
      async () => (await processes()).some((command) => command.startsWith('postgres: watchpost')) || undefined,
      240_000,
      20,
    );
  const expectNothingLeft = () =>
    eventually(
      'no process is left',
      async () => {
        const left = await processes();
        expect(left).to.deep.equal([]);
        return true;
      },
      120_000,
    );

  it('all end with a test file', async () => {
    start(MOCHA);
    await usesServer();
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
    await expectNothingLeft();
  });

  it('all end when a test file is killed', async () => {
    start(MOCHA);
    await usesServer();
    // The process that runs the tests, and the one that Mocha starts it from.
    for (const pid of [...(await childrenOf(child.pid!)), child.pid!]) process.kill(pid, 'SIGKILL');
    await expectNothingLeft();
  });

  it('all end with a bench', async () => {
    start(BENCH);
    await usesServer();
    const [, signal] = await once(child, 'exit');
    // Its exit code is that of its aims, which a busy machine misses.
    expect(signal).to.equal(null);
    await expectNothingLeft();
  });
});

async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.split(' ').filter(Boolean).map(Number);
}
