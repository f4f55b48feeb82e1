import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BUILD } from '@watchpost/shared/build';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { startProcess, type ManagedProcess } from '../../support/managed-process.js';
import { startProduct, type Product } from '../../support/product.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const run = promisify(execFile);

describe('the agent as an artefact', function () {
  this.timeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-artefact-'));
  const bundle = join(folder, 'watchpost-agent.mjs');
  const executable = join(folder, `watchpost-agent-linux-${process.arch}`);
  const running: ManagedProcess[] = [];
  let target: Server;
  let product: Product;
  let output = '';
  let whyNot = '';

  before(async () => {
    try {
      const args = [join(ROOT, 'scripts/build-agent.mjs'), '--compiled', '--out', folder];
      if (process.platform !== 'linux') args.push('--bundle-only');
      const { stdout, stderr } = await run(process.execPath, args, { timeout: 600_000 });
      output = stdout + stderr;
    } catch (error) {
      // esbuild is a program of its own, and there are machines on which it or the injection cannot run
      whyNot = (error as Error).message;
    }
    target = createServer((_request, response) => response.end('fine'));
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    product = await startProduct({ env: { GRPC_TLS_HOSTS: 'localhost,127.0.0.1' } });
  });
  after(async () => {
    for (const agent of running) if (agent.running) agent.kill('SIGKILL');
    await Promise.all(running.map((agent) => agent.ended(60_000)));
    await product.stop();
    target.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is reported with its versions and checksums, which are also in a file', function () {
    if (whyNot) this.skip();
    expect(output)
      .to.contain(`Watchpost agent ${BUILD}`)
      .and.to.match(/executable for linux-\w+ has v26\.\d+\.\d+ inside/);
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
    for (const [sum, name] of sums.map((line) => line.split('  ') as [string, string])) {
      const bytes = readFileSync(join(folder, name));
      expect(createHash('sha256').update(bytes).digest('hex'), name).to.equal(sum);
      expect(output).to.contain(sum);
    }
    expect(readFileSync(bundle).length).to.be.below(2_000_000);
  });

  for (const [what, start] of [
    ['bundle', { args: [bundle] }],
    ['single executable', { executable, args: [] }],
  ] as const) {
    it(`as a ${what} enrols and runs checks with that file and an address only`, async function () {
      if (whyNot || !existsSync(what === 'bundle' ? bundle : executable)) this.skip();
      const api = product.apiAs(what.replaceAll(' ', '-'));
      const { token } = await product.createAgent('northeurope', what);
      expect(token).to.match(/^wpa_[\w-]{43}\.[\w-]{43}$/);
      const agent = startProcess({
        ...start,
        cwd: folder,
        env: {
          CONTROL_PLANE_URL: `https://localhost:${product.grpcPort}`,
          AGENT_TOKEN: token,
          DATA_DIR: join(folder, what),
          METRICS_PORT: '0',
          PROBE_ALLOW_CIDRS: '127.0.0.0/8',
        },
        logFile: join(folder, `${what}.log`),
      });
      running.push(agent);
      const created = await api('POST', '/api/v1/monitor', {
        name: what,
        url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/`,
        checkInterval: 'PT1M',
      });
      expect(created.status, JSON.stringify(created.body)).to.equal(201);
      const checked = await eventually(
        'a result',
        async () => {
          const { body } = await api('GET', `/api/v1/monitor/${created.body.id}`);
          return body.latestTestResult ?? undefined;
        },
        120_000,
      );
      expect(checked).to.include({ wasAvailable: true, statusCode: 200 });
      const list = JSON.parse(await product.admin('agents', 'list', '--json')) as Record<string, unknown>[];
      expect(list.find((one) => one.name === what)).to.include({ state: 'connected', version: BUILD });
      agent.kill('SIGTERM');
      expect((await agent.ended(60_000)).code).to.equal(0);
    });
  }

  for (const [target, name, magic] of [
    // Mach-O of 64 bits for arm64, and the portable executable of Windows.
    ['macos-arm64', 'watchpost-agent-macos-arm64', 'cffaedfe0c000001'],
    ['windows-x64', 'watchpost-agent-windows-x64.exe', '4d5a'],
  ] as const) {
    it(`is made for ${target} too, and has the agent inside`, async function () {
      if (whyNot || process.platform !== 'linux') this.skip();
      const out = join(folder, target);
      const args = [join(ROOT, 'scripts/build-agent.mjs'), '--compiled', '--out', out, '--target', target];
      const { stderr } = await run(process.execPath, args, { timeout: 600_000 });
      expect(stderr).to.match(new RegExp(`executable for ${target} has v26`));
      const bytes = readFileSync(join(out, name));
      expect(bytes.subarray(0, magic.length / 2).toString('hex')).to.equal(magic);
      // Node.js looks for a program inside where this is set to 1.
      expect(bytes.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')).to.equal(true);
      expect(bytes.includes(BUILD)).to.equal(true);
    });
  }

  it('names the targets that there are', async () => {
    const args = [join(ROOT, 'scripts/build-agent.mjs'), '--compiled', '--out', folder, '--target', 'solaris-sparc'];
    const failed = await run(process.execPath, args).then(
      () => '',
      (error: { stderr: string }) => error.stderr,
    );
    expect(failed).to.include(
      'There is no target solaris-sparc, only linux-x64, linux-arm64, macos-arm64, windows-x64.',
    );
  });
});
