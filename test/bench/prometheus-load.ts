import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@watchpost/shared/time';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { startProcess, type ManagedProcess } from '../support/managed-process.js';
import type { Defer } from './bench.js';
import { cpuMs, residentBytes } from './process-usage.js';

/** CPU time of one probe in one minute, ms. */
export interface PrometheusCost {
  blackbox: number;
  prometheus: number;
  total: number;
}

const PROGRAMS = { prometheus: 'prometheus', blackbox: 'prometheus-blackbox-exporter' } as const;
/** Time for the last scrape of a minute to be stored. */
const STORED_WITHIN_MS = 2_000;
/** A minute with fewer of its probes than this was disturbed. */
const LEAST_SHARE = 0.98;

/** @returns the Debian package that is not installed, if there is one */
export function missingPeer(): string | undefined {
  return Object.values(PROGRAMS).find((name) => programOf(name) === undefined);
}

/** Prometheus, which scrapes a blackbox_exporter once a minute for each site, as its documentation configures it. */
export class PrometheusLoad {
  private constructor(
    private readonly port: number,
    private readonly prometheus: ManagedProcess,
    private readonly blackbox: ManagedProcess,
  ) {}

  static async start(
    defer: Defer,
    sites: readonly string[],
    perSecond: number,
    authorityFile: string,
  ): Promise<PrometheusLoad> {
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-bench-peers-'));
    defer(() => rmSync(folder, { recursive: true, force: true }));
    const [port, blackboxPort] = [await freePort(), await freePort()];
    const file = (name: string, content: object): string => {
      const path = join(folder, name);
      // JSON is YAML.
      writeFileSync(path, JSON.stringify(content));
      return path;
    };
    const http = { preferred_ip_protocol: 'ip4', tls_config: { ca_file: authorityFile } };
    const modules = file('blackbox.yml', { modules: { site: { prober: 'http', timeout: '10s', http } } });
    // Equal targets would be scraped once.
    const targets = Array.from({ length: perSecond * 60 }, (_, at) => `${sites[at % sites.length]}?n=${at}`);
    const config = file('prometheus.yml', {
      global: { scrape_interval: '60s', scrape_timeout: '15s' },
      scrape_configs: [
        {
          job_name: 'sites',
          metrics_path: '/probe',
          params: { module: ['site'] },
          static_configs: [{ targets }],
          relabel_configs: [
            { source_labels: ['__address__'], target_label: '__param_target' },
            { source_labels: ['__param_target'], target_label: 'instance' },
            { target_label: '__address__', replacement: `127.0.0.1:${blackboxPort}` },
          ],
        },
      ],
    });
    const run = (name: keyof typeof PROGRAMS, args: string[]): ManagedProcess => {
      const process = startProcess({
        executable: programOf(PROGRAMS[name])!,
        args,
        env: {},
        logFile: join(folder, `${name}.log`),
      });
      defer(() => process.kill('SIGKILL'));
      return process;
    };
    const blackbox = run('blackbox', [
      `--config.file=${modules}`,
      `--web.listen-address=127.0.0.1:${blackboxPort}`,
      '--log.level=error',
    ]);
    const prometheus = run('prometheus', [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ]);
    const load = new PrometheusLoad(port, prometheus, blackbox);
    await eventually(
      'Prometheus has results',
      async () => ((await load.count('count(probe_success)').catch(() => 0)) > 0 ? true : undefined),
      30_000,
      200,
    );
    return load;
  }

  end(): void {
    for (const one of [this.prometheus, this.blackbox]) one.kill('SIGKILL');
  }

  /** Waits until each site was probed. Ends at a whole minute. */
  async settle(): Promise<void> {
    await sleep(MINUTE_MS);
    await sleep(MINUTE_MS - (Date.now() % MINUTE_MS));
  }

  /** Measures one minute. @throws when a probe fails or too few ran */
  async minute(perSecond: number): Promise<PrometheusCost> {
    const now = () => ({ blackbox: cpuMs(this.blackbox.pid), prometheus: cpuMs(this.prometheus.pid) });
    const before = now();
    await sleep(MINUTE_MS);
    const [after, atMs] = [now(), Date.now()];
    await sleep(STORED_WITHIN_MS);
    const checks = await this.count('sum(count_over_time(probe_success[1m]))', atMs);
    const good = await this.count('sum(sum_over_time(probe_success[1m]))', atMs);
    if (good < checks) throw new Error(`${checks - good} of ${checks} probes failed`);
    if (checks < perSecond * 60 * LEAST_SHARE) throw new Error(`only ${checks} probes ran in a minute`);
    const [blackbox, prometheus] = [
      (after.blackbox - before.blackbox) / checks,
      (after.prometheus - before.prometheus) / checks,
    ];
    return { blackbox, prometheus, total: blackbox + prometheus };
  }

  residentBytes(): number {
    return residentBytes(this.blackbox.pid) + residentBytes(this.prometheus.pid);
  }

  private async count(query: string, atMs = Date.now()): Promise<number> {
    const url = `http://127.0.0.1:${this.port}/api/v1/query?query=${encodeURIComponent(query)}&time=${atMs / 1_000}`;
    const answer = (await (await fetch(url)).json()) as { data: { result: { value: [number, string] }[] } };
    return Number(answer.data.result[0]?.value[1] ?? 0);
  }
}

function programOf(name: string): string | undefined {
  const folders = ['/usr/bin', '/usr/local/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
