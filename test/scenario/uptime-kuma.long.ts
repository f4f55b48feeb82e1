import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { sqliteFile } from '@watchpost/cli/kuma/fixtures/kuma-files';
import { manyMonitors } from '@watchpost/cli/kuma/fixtures/varied-installation';
import { startProduct } from '../support/product.js';
import { startedForSuite } from '../support/suite.js';

const CLI = fileURLToPath(new URL('../../../scripts/cli/dist/main.js', import.meta.url));
const MONITORS = 200;
const PUSH_TOKEN = 'Qm7vTq2LxZ9cRk4Wb8Ns3Hd6Jf1Gp5Ya';
const DEADLINE_MS = 600_000;

describe('An installation of Uptime Kuma with 200 monitors', function () {
  this.timeout(700_000);
  const product = startedForSuite(() => startProduct());
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-kuma-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('becomes a running workspace in one pipe, and its jobs report by their former address', async () => {
    const { body: key } = await product.api('POST', '/api/v1/api-keys', {
      name: 'Import',
      scopes: ['monitor.write', 'alert.write', 'statuspage.write'],
    });
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise', '--limit', 'monitors=300');
    const file = join(folder, 'kuma.db');
    await writeFile(file, await sqliteFile('2.x', manyMonitors(MONITORS, PUSH_TOKEN)));
    const env = { PATH: process.env['PATH'], HOME: folder, WATCHPOST_URL: product.baseUrl, WATCHPOST_API_KEY: key.key };
    const node = `'${process.execPath}' '${CLI}'`;
    const pipe = `${node} import uptime-kuma '${file}' --with-secrets 2> '${folder}/report' | ${node} apply -f - --yes`;
    await new Promise<void>((resolve, reject) => {
      execFile('sh', ['-c', pipe], { env, timeout: DEADLINE_MS }, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(),
      );
    });
    const { body: monitors, headers } = await product.api('GET', '/api/v1/monitor?pageSize=200');
    expect(headers.get('x-total-count')).to.equal(String(MONITORS));
    expect(
      monitors.every(({ monitoringStatus }: { monitoringStatus: string }) => monitoringStatus === 'enabled'),
    ).to.equal(true);
    const { body: groups } = await product.api('GET', '/api/v1/action-groups');
    expect(
      groups.map(({ name, monitorCount }: { name: string; monitorCount: number }) => [name, monitorCount]),
    ).to.deep.equal([
      ['Mail', MONITORS / 10],
      // The owner's own, which the workspace has from the start.
      ['Me', 0],
    ]);

    const pushed = await fetch(`${product.baseUrl}/api/push/${PUSH_TOKEN}?status=up&msg=OK&ping=`);
    expect([pushed.status, await pushed.json()]).to.deep.equal([200, { ok: true }]);
    const job = monitors.find(({ name }: { name: string }) => name === 'Backup');
    expect((await product.api('GET', `/api/v1/monitor/${job.id}`)).body.healthStatus).to.equal('available');
  });
});
