import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse } from 'yaml';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { SecureService } from '../fleet/secure-service.js';

const FOLDER = fileURLToPath(new URL('../../../../deploy/prometheus/', import.meta.url));
const RULES = join(FOLDER, 'watchpost.rules.yaml');
const has = (program: string) => spawnSync(program, ['--version']).status === 0;

describe('The alert rules for operators', () => {
  it('each have a test that sees the alert fire', () => {
    const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] };
    const { tests } = parse(readFileSync(join(FOLDER, 'watchpost.rules.test.yaml'), 'utf8')) as {
      tests: { name: string }[];
    };
    expect(tests.map(({ name }) => name)).to.have.members(
      groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)),
    );
  });

  it('fire when they should, and no earlier', async function () {
    if (!has('promtool')) this.skip();
    const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', 'watchpost.rules.test.yaml'], {
      cwd: FOLDER,
    });
    expect(stdout).to.include('SUCCESS');
  });

  describe('in a Prometheus that scrapes a control plane', function () {
    let folder: string;
    let service: SecureService;
    let metrics: Server;
    let prometheus: ChildProcess | undefined;
    let port: number;

    before(async function () {
      if (!has('prometheus')) this.skip();
      folder = mkdtempSync(join(tmpdir(), 'watchpost-prometheus-'));
      service = await SecureService.start();
      metrics = createServer((_, response) => {
        void service.registry.metrics().then((text) => response.end(text));
      });
      await new Promise<void>((resolve) => metrics.listen(0, '127.0.0.1', resolve));
      // The same rules over seconds in place of quarters of an hour.
      writeFileSync(join(folder, 'rules.yaml'), readFileSync(RULES, 'utf8').replaceAll('[15m]', '[10s]'));
      writeFileSync(
        join(folder, 'prometheus.yaml'),
        JSON.stringify({
          global: { scrape_interval: '1s', evaluation_interval: '1s' },
          rule_files: ['rules.yaml'],
          scrape_configs: [
            {
              job_name: 'watchpost',
              static_configs: [{ targets: [`127.0.0.1:${(metrics.address() as AddressInfo).port}`] }],
            },
          ],
        }),
      );
      port = await freePort();
      const args = [
        '--config.file=prometheus.yaml',
        '--storage.tsdb.path=data',
        `--web.listen-address=127.0.0.1:${port}`,
      ];
      prometheus = spawn('prometheus', args, { cwd: folder, stdio: 'ignore' });
      await eventually('the first scrape', async () => (await ask('query?query=up')).result.length > 0 || undefined);
    });
    after(async () => {
      if (!prometheus) return;
      const ended = new Promise((resolve) => prometheus!.once('exit', resolve));
      prometheus.kill('SIGKILL');
      await ended;
      metrics.closeAllConnections();
      await new Promise((resolve) => metrics.close(resolve));
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    async function ask(path: string): Promise<{ result: unknown[]; alerts: { labels: Record<string, string> }[] }> {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
      return ((await answer.json()) as { data: { result: unknown[]; alerts: { labels: Record<string, string> }[] } })
        .data;
    }
    const firing = async () =>
      (await ask('alerts')).alerts.filter(({ labels }) => labels['alertname'] === 'WatchpostEnrolmentsRefused');

    it('a stolen token is reported although it is the first one, and the report ends', async () => {
      expect(await firing()).to.deep.equal([]);
      await service.enroll('A'.repeat(43)).catch(() => {});
      const [alert] = await eventually('the alert fires', async () =>
        (await firing()).length > 0 ? firing() : undefined,
      );
      expect(alert!.labels).to.include({ outcome: 'unknownAgent', severity: 'warning' });
      await eventually('the alert ends', async () => (await firing()).length === 0 || undefined);
    });
  });
});
