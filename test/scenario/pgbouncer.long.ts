import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identityFor } from '@watchpost/control-plane/embedded/postgres/run-as';
import { expect } from 'chai';
import pg from 'pg';
import { runAdminCommand } from '../support/admin-command.js';
import { cloneTemplate, type BareDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { installedProgram } from '../support/fleet/patroni-cluster.js';
import { freePort } from '../support/free-port.js';
import { startProcess } from '../support/managed-process.js';
import { startProduct } from '../support/product.js';

const CONTROL_PLANE = fileURLToPath(new URL('../../../control-plane/dist/main.js', import.meta.url));
const SETTINGS = fileURLToPath(new URL('../../../deploy/high-availability/pgbouncer.ini', import.meta.url));

describe('a control plane behind PgBouncer', function () {
  this.timeout(10 * 60_000);
  let database: BareDatabase;
  let role: string;
  let name: string;
  const ends: (() => unknown)[] = [];

  before(async function () {
    if (!installedProgram('pgbouncer')) {
      console.log('      not run: this machine has no pgbouncer');
      this.skip();
    }
    database = await cloneTemplate('today');
    const { username, pathname } = new URL(database.url);
    [role, name] = [username, pathname.slice(1)];
    // So that it can be seen whether a setting arrives.
    await sql(database.url, `ALTER DATABASE ${name} SET timezone = 'Europe/Berlin'`);
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  after(() => database?.drop());

  /** The file of the guide, with the addresses of this test. @returns the URL */
  async function startPooler(mode: string): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-pooler-'));
    await chmod(folder, 0o777);
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const { hostname, port, password } = new URL(database.url);
    const ownPort = await freePort();
    const text = readFileSync(SETTINGS, 'utf8')
      .replace('watchpost = host=127.0.0.1 port=5000', `${name} = host=${hostname} port=${port}`)
      .replace('listen_port = 6432', `listen_port = ${ownPort}\nunix_socket_dir =`)
      .replace('pool_mode = session', `pool_mode = ${mode}`)
      .replaceAll('/etc/pgbouncer', folder)
      .replace('/var/log/postgresql', folder)
      .replace('/var/run/postgresql', folder);
    await writeFile(join(folder, 'pgbouncer.ini'), text);
    await writeFile(join(folder, 'userlist.txt'), `"${role}" "${decodeURIComponent(password)}"\n`);
    const { spawnAs } = await identityFor(join(folder, 'none'));
    const pooler = spawn(installedProgram('pgbouncer')!, ['-q', 'pgbouncer.ini'], {
      ...spawnAs,
      cwd: folder,
      stdio: 'ignore',
    });
    ends.push(() => pooler.kill('SIGKILL'));
    const url = `postgres://${role}:${password}@127.0.0.1:${ownPort}/${name}`;
    await eventually(
      'the pooler answers',
      async () => ((await sql(url, 'SELECT 1')).length === 1 ? true : undefined),
      120_000,
    );
    return url;
  }

  /** @returns what a control plane prints that ends because of its configuration */
  async function refusalOf(url: string): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-refused-'));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const env = {
      DATABASE_URL: url,
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: '0',
      GRPC_PORT: '0',
      METRICS_PORT: '0',
    };
    const started = startProcess({ args: [CONTROL_PLANE], env, logFile: join(folder, 'log') });
    expect(await started.ended(240_000)).to.include({ code: 2 });
    return started.output();
  }

  it('is refused where the pooler drops the time zone, and names the remedy', async () => {
    expect(await refusalOf(await startPooler('session'))).to.include(
      `the time zone is Europe/Berlin; set it for the role, with ALTER ROLE … SET timezone = 'UTC'`,
    );
  });

  it('is refused where transactions share sessions, as is the command that migrates', async () => {
    const url = await startPooler('transaction');
    const sentence = 'it leads to a pooler that gives each transaction another session of PostgreSQL';
    expect(await refusalOf(url)).to.include(sentence);
    expect(await runAdminCommand(['migrate'], { DATABASE_URL: url }).catch(String)).to.include(sentence);
  });

  it('works with a session for each connection, and hears notifications', async () => {
    // A session that exists keeps what it began with.
    await sql(database.url, `ALTER ROLE ${role} IN DATABASE ${name} SET timezone = 'UTC'`);
    const url = await startPooler('session');
    const product = await startProduct({ env: { DATABASE_URL: url } });
    ends.push(() => product.stop());
    const { token } = await product.createAgent('northeurope', 'first');
    product.startAgent({ name: 'first', token });
    const body = { url: `${product.baseUrl}/health/live`, checkInterval: 'PT1M' };
    const { status } = await product.api('POST', '/api/v1/monitor', body);
    expect(status).to.equal(201);
    await eventually('a result is stored', async () => (await sql(url, 'SELECT FROM check_result'))[0], 240_000, 250);
    const listening = await sql(
      database.url,
      `SELECT FROM pg_stat_activity WHERE datname = '${name}' AND query LIKE 'LISTEN%'`,
    );
    expect(listening).to.have.length.above(0);
    expect(product.controlPlane.output()).to.not.include('the listening connection was lost');
  });
});

async function sql(connectionString: string, text: string): Promise<object[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 20_000 });
  await client.connect();
  try {
    return (await client.query<object>(text)).rows;
  } finally {
    await client.end();
  }
}
