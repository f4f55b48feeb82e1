import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { records, startNameServer, type NameServer } from '../support/name-server.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Twice as long as it takes on a machine that is not busy, and more. */
const STORY_MS = 600_000;
/** The start includes the check of packages and sources, and a day that is played, on a machine that may be busy. */
const START_MS = 450_000;
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
  this.timeout(STORY_MS + START_MS + 600_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'watchpost-demo-'));
  let demo: ManagedProcess;
  const ports: number[] = [];
  /** The resolver of the machine, to which the demo passes on the names that are not its own. */
  let resolver: NameServer;
  const resolvConf = join(dataDir, 'resolv.conf');

  before(async () => {
    const outside = records([
      { name: 'outside.test', type: 'A', ttl: 60, data: '192.0.2.7' },
      { name: 'outside.test', type: 'TXT', ttl: 60, data: ['x'.repeat(200), 'y'.repeat(200)] },
    ]);
    resolver = await startNameServer({
      behaviour: (asked) =>
        asked.question.type === 'TXT' && asked.via === 'udp' ? { truncated: true } : outside(asked),
    });
    writeFileSync(resolvConf, `nameserver [127.0.0.1]:${resolver.port}\n`);
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
        RESOLV_CONF: resolvConf,
      },
      cwd: ROOT,
      logFile: join(dataDir, `demo-${Date.now()}.log`),
    });
  }
  after(async () => {
    if (demo?.running) {
      demo.kill('SIGTERM');
      await demo.ended(180_000).catch(() => demo.kill('SIGKILL'));
    }
    await resolver?.close();
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

  let token: string | undefined;
  async function call(path: string, body?: object): Promise<Json> {
    token ??= (
      await runAdmin(process.execPath, [join(ROOT, 'control-plane/dist/admin.js'), 'token'], {
        env: { ...process.env, DATA_DIR: dataDir },
      })
    ).stdout.trim();
    const response = await fetch(`http://127.0.0.1:${ports[0]}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer: Json = await response.json();
    expect(response.status, `${path}: ${JSON.stringify(answer)}`).to.equal(200);
    return answer;
  }
  async function readMonitor(name: string): Promise<Json> {
    const monitors: Json[] = await call('/api/v1/monitor?pageSize=100');
    return monitors.find((each) => each.name === name);
  }

  it('shows a failed check, an incident, a page to a person and the changed status page', async () => {
    await waitFor('the ready line', / is ready at http/, START_MS);
    const deadline = Date.now() + STORY_MS;
    for (const [what, pattern] of Object.entries(STORY))
      await waitFor(what, pattern, Math.max(0, deadline - Date.now()));

    const publicPage = /Its status page: (\S+)/.exec(demo.output())![1]!;
    expect(await (await fetch(publicPage)).text()).to.include('Major outage');
    const link = find(STORY['its link'])![1]!;
    expect((await fetch(link, { method: 'POST' })).status).to.equal(200);
    await waitFor('the acknowledgement', /Incident: acknowledged/, 60_000);
  });

  it('has certificates of its own hosts: two fine, of which one warns, one that is out of date, and one of another host', async () => {
    const certificates: Record<string, Json> = {
      'Certificate of the shop': { isValid: true, daysUntilExpiry: 61, hostnameMatches: true },
      'Certificate of checkout': { isValid: true, daysUntilExpiry: 9, hostnameMatches: true },
      'Certificate of the VPN': { isValid: false, daysUntilExpiry: -3, hostnameMatches: true },
      'Certificate of the blog': { isValid: false, daysUntilExpiry: 60, hostnameMatches: false },
    };
    for (const [name, facts] of Object.entries(certificates)) {
      const { id, url } = await readMonitor(name);
      const status = await eventually(
        `the ${name}`,
        async () => {
          const read = await call(`/api/v1/monitor/${id}/ssl-status`);
          return read.checkedAt === null ? undefined : read;
        },
        180_000,
      );
      expect(status, name).to.include({ ...facts, chainTrusted: true, issuer: 'CN=Acme Trust Intermediate' });
      // The past of a certificate that was played is that of the one that agents see.
      const seen = await call('/api/v1/monitor-test/ssl', { url });
      expect(seen, name).to.include({ ...facts, fingerprint256: status.fingerprint256 });
      expect(seen.chain, name).to.deep.equal(status.chain);
    }
    const open: { monitorName: string }[] = await call('/api/v1/incident?isClosed=false');
    expect(open.map(({ monitorName }) => monitorName).filter((name) => name.startsWith('Certificate'))).to.have.members(
      ['Certificate of the VPN', 'Certificate of the blog'],
    );
  });

  it('checks services by names, and a zone that the second name server and one region have late', async () => {
    for (const name of ['Orders database', 'Warehouse beacons']) {
      const monitor = await eventually(
        `the first check of ${name}`,
        async () => {
          const read = await readMonitor(name);
          return read.latestTestResult === null ? undefined : read;
        },
        180_000,
      );
      expect(monitor.url, name).to.match(/^(?:tcp|udp):\/\/[a-z-]+\.acme\.example:\d+$/);
      expect(monitor, name).to.deep.include({ healthStatus: 'available' });
    }
    const [, address] = await waitFor(
      'the move of the zone',
      /THE ZONE MOVES: acme\.example has the address (\S+)/,
      180_000,
    );
    const { id } = await readMonitor('Names of Acme');
    const isNew = ({ records: { A } }: Json) => A.includes(address);
    const { early, late } = await eventually(
      'two regions with different answers',
      async () => {
        const { history }: { history: Json[] } = await call(`/api/v1/monitor/${id}/dns-history`);
        const found = history.find(isNew);
        const after = history.find((entry) => entry.region === 'southeastasia' && entry.checkedAt > found?.checkedAt);
        return found && after && { early: found, late: after };
      },
      300_000,
    );
    expect(isNew(late), 'the late region').to.equal(false);
    expect(late.failureReason).to.equal(null);
    expect(early.propagation).to.include({ consistent: false });
    const [first, second] = early.propagation.servers;
    expect(first.server).to.equal('ns1.acme.example (127.0.0.1)');
    expect(second.server).to.match(/^ns2\.acme\.example \((?:127\.0\.0\.2|::1)\)$/);
    expect([isNew(first), isNew(second)]).to.deep.equal([true, false]);
    expect(first.serial).to.be.above(second.serial);
  });

  it('passes on the names that are not its own, over TCP too', async () => {
    const found = await call('/api/v1/monitor-test/dns', { hostname: 'outside.test', recordTypes: ['A', 'TXT'] });
    expect(found.records).to.deep.equal({ A: ['192.0.2.7'], TXT: [`${'x'.repeat(200)}${'y'.repeat(200)}`] });
    const missing = await call('/api/v1/monitor-test/dns', { hostname: 'nobody.test', recordTypes: ['A'] });
    expect(missing.failureReason).to.match(/^The name nobody\.test does not exist .*NXDOMAIN/);
    expect(resolver.asked.some(({ question }) => /\.(?:acme|demo)\.example$/.test(question.name))).to.equal(false);
  });

  it('stops all of its processes and leaves nothing running', async () => {
    demo.kill('SIGTERM');
    const { code } = await demo.ended(180_000);
    expect(code, demo.output().slice(-1_000)).to.equal(0);
    expect(await Promise.all(ports.map(answers))).to.deep.equal([false, false, false]);
    expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid')), 'the database is stopped').to.equal(false);
    expect(demo.output()).not.to.match(/Error|unhandled|at .*\.js:\d+/i);
  });

  it('starts again beside the same sites, with somebody on call at any time', async () => {
    const site = find(SITE)![1];
    demo = startDemo();
    const startedMs = Date.now();
    token = undefined;
    await waitFor('the address of the site', SITE, START_MS);
    expect(find(SITE)![1]).to.equal(site);
    const [from, to] = [startedMs - 7 * DAY_MS, startedMs + 14 * DAY_MS].map((ms) => new Date(ms).toISOString());
    const teams: { teamName: string; gaps: object[]; shifts: Json[] }[] = await call(
      `/api/v1/on-call/shifts?startDate=${from}&endDate=${to}`,
    );
    expect(teams.map(({ gaps }) => gaps)).to.deep.equal([[], [], []]);
    for (const hour of [0, 6, 12, 18]) {
      const atMs = startedMs + hour * 3_600_000;
      const onCall = teams.flatMap(({ shifts }) =>
        shifts.filter(({ start, end }) => Date.parse(start) <= atMs && atMs < Date.parse(end)),
      );
      expect(new Set(onCall.map(({ user }) => user.userId)).size, `people in ${hour} h`).to.equal(3);
    }
    const monitors: {
      name: string;
      url: string;
      lastModified: string;
      heartbeat: { lastPing: string | null } | null;
    }[] = await call('/api/v1/monitor?pageSize=100');
    expect(monitors.filter(({ lastModified }) => Date.parse(lastModified) > startedMs)).to.deep.equal([]);
    expect(monitors.find(({ name }) => name === 'Basket')!.url, 'a name').to.equal('https://shop.acme.example/basket');
    const [backup, search] = ['Hourly backup', 'Product search'].map((wanted) =>
      monitors.find(({ name }) => name === wanted),
    );
    expect(backup!.heartbeat!.lastPing, 'the heartbeat').not.to.equal(null);
    expect(search).to.include({ healthStatus: 'unavailable' });
    const windows: { recurrence: string }[] = await call('/api/v1/maintenance-windows');
    expect(windows.map(({ recurrence }) => recurrence)).to.deep.equal(['FREQ=WEEKLY']);
  });
});
