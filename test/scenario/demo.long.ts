import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import type { Json } from '../support/product.js';
import { type ManagedProcess, startProcess } from '../support/managed-process.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The story takes at most this long, as the README promises. */
const STORY_MS = 120_000;
/** The start includes the check of packages and sources, and a day that is played, on a machine that may be busy. */
const START_MS = 150_000;
const SITE = /The site is (\S+?):? /;
const DAY_MS = 86_400_000;
const runAdmin = promisify(execFile);

/** The lines of the demo's story, in the order in which they are printed. */
const STORY = {
  'a healthy check': /A check: fine \(200/,
  'the site breaks': /THE SITE BREAKS/,
  'a failed check': /A check: failed: The server answered with status 503/,
  'an incident': /Incident: opened\./,
  'a webhook': /A webhook arrives: incident\.opened/,
  'somebody paged': /Incident: paged .+ by email, of the team Demo shop/,
  'the page in the mailbox': /The page is in the mailbox: http\S+\/mailbox/,
  'its link': /Acknowledge it there, or here.*: (http\S+\/ack\/[\w-]+)/,
  'the public page': /The status page shows: majorOutage/,
};

describe('npm run demo', function () {
  this.timeout(STORY_MS + START_MS + 60_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'watchpost-demo-'));
  let demo: ManagedProcess;
  const ports: number[] = [];

  before(async () => {
    for (let count = 0; count < 3; count++) ports.push(await freePort());
    demo = startDemo();
  });
  function startDemo(): ManagedProcess {
    const [port, grpcPort, metricsPort] = ports.map(String);
    return startProcess({
      args: [join(ROOT, 'scripts/demo.mjs')],
      env: {
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PORT: port,
        GRPC_PORT: grpcPort,
        METRICS_PORT: metricsPort,
      },
      cwd: ROOT,
      logFile: join(dataDir, `demo-${Date.now()}.log`),
    });
  }
  after(async () => {
    if (demo?.running) {
      demo.kill('SIGTERM');
      await demo.ended(60_000).catch(() => demo.kill('SIGKILL'));
    }
    rmSync(dataDir, { recursive: true, force: true });
  });

  const find = (pattern: RegExp) => pattern.exec(demo.output()) ?? undefined;
  async function waitFor(what: string, pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray> {
    await eventually(
      `the output contains ${what}`,
      () => find(pattern) !== undefined || !demo.running || undefined,
      timeoutMs,
    );
    expect(find(pattern), `the output contains ${what}: ${demo.output()}`).not.to.equal(undefined);
    return find(pattern)!;
  }
  const answers = (port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });

  it('shows a failed check, an incident, a page to a person and the changed status page within two minutes', async () => {
    await waitFor('the ready line', / is ready at http/, START_MS);
    const deadline = Date.now() + STORY_MS;
    for (const [what, pattern] of Object.entries(STORY))
      await waitFor(what, pattern, Math.max(0, deadline - Date.now()));

    const publicPage = /Its status page: (\S+)/.exec(demo.output())![1]!;
    expect(await (await fetch(publicPage)).text()).to.include('Major outage');
    const link = find(STORY['its link'])![1]!;
    expect((await fetch(link, { method: 'POST' })).status).to.equal(200);
    await waitFor('the acknowledgement', /Incident: acknowledged/, 10_000);
  });

  it('stops all of its processes and leaves nothing running', async () => {
    demo.kill('SIGTERM');
    const { code } = await demo.ended(60_000);
    expect(code, demo.output().slice(-1_000)).to.equal(0);
    expect(await Promise.all(ports.map(answers))).to.deep.equal([false, false, false]);
    expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid')), 'the database is stopped').to.equal(false);
    expect(demo.output()).not.to.match(/Error|unhandled|at .*\.js:\d+/i);
  });

  it('starts again beside the same sites, with somebody on call at any time', async () => {
    const site = find(SITE)![1];
    demo = startDemo();
    const startedMs = Date.now();
    await waitFor('the address of the site', SITE, START_MS);
    expect(find(SITE)![1]).to.equal(site);
    const { stdout } = await runAdmin(process.execPath, [join(ROOT, 'control-plane/dist/admin.js'), 'token'], {
      env: { ...process.env, DATA_DIR: dataDir },
    });
    const read = async (path: string): Promise<Json> =>
      (
        await fetch(`http://127.0.0.1:${ports[0]}${path}`, { headers: { authorization: `Bearer ${stdout.trim()}` } })
      ).json();
    const [from, to] = [startedMs - 7 * DAY_MS, startedMs + 14 * DAY_MS].map((ms) => new Date(ms).toISOString());
    const teams: { gaps: object[] }[] = await read(`/api/v1/on-call/shifts?startDate=${from}&endDate=${to}`);
    expect(teams.map(({ gaps }) => gaps)).to.deep.equal([[], [], []]);
    const monitors: {
      name: string;
      url: string;
      lastModified: string;
      heartbeat: { lastPing: string | null } | null;
    }[] = await read('/api/v1/monitor?pageSize=100');
    expect(monitors.filter(({ lastModified }) => Date.parse(lastModified) > startedMs)).to.deep.equal([]);
    expect(monitors.find(({ name }) => name === 'Basket')!.url, 'a name').to.equal('http://shop.acme.example/basket');
    const [backup, search] = ['Hourly backup', 'Product search'].map((wanted) =>
      monitors.find(({ name }) => name === wanted),
    );
    expect(backup!.heartbeat!.lastPing, 'the heartbeat').not.to.equal(null);
    expect(search).to.include({ healthStatus: 'unavailable' });
    const windows: { recurrence: string }[] = await read('/api/v1/maintenance-windows');
    expect(windows.map(({ recurrence }) => recurrence)).to.deep.equal(['FREQ=WEEKLY']);
  });
});
