import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import type { PingView } from '@watchpost/control-plane/capabilities/pings/ping-schemas';
import { PING_SNIPPETS } from '@watchpost/shared/ping-snippets';
import { type Product, startProduct } from '../../support/product.js';
import { seedHeartbeat } from '../../support/seed.js';

const run = promisify(execFile);
const JOB = '/usr/local/bin/backup';
const JOB_CODE = 7;
const GUIDE = fileURLToPath(new URL('../../../../docs/guides/heartbeats.md', import.meta.url));
const DEADLINE_MS = 30_000;

const has = (program: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

describe('the snippets that report to a heartbeat', () => {
  let product: Product;
  let folder: string;
  let job: string;

  before(async () => {
    [product, folder] = await Promise.all([startProduct(), mkdtemp(join(tmpdir(), 'watchpost-snippets-'))]);
    job = join(folder, 'backup');
    await writeFile(job, `#!/bin/sh\necho "backed up"\nexit ${JOB_CODE}\n`);
    await chmod(job, 0o755);
    await product.api('GET', '/api/v1/user');
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise');
  });
  after(async () => {
    await product?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  const sh = (script: string, env: Record<string, string> = {}) =>
    run('/bin/sh', ['-c', script], { timeout: DEADLINE_MS, env: { ...process.env, ...env } });

  /** How the tool of each snippet runs it, by its title; the programs that it needs. */
  const TOOLS: Record<string, { needs: string[]; code: number; run: (text: string) => Promise<unknown> }> = {
    curl: { needs: ['curl'], code: NaN, run: (text) => sh(text) },
    // Behind the five fields, cron passes the line to sh.
    cron: { needs: ['curl'], code: JOB_CODE, run: (text) => sh(text.split(' ').slice(5).join(' ')) },
    'A script, with its output and how long it took': { needs: ['curl'], code: JOB_CODE, run: (text) => sh(text) },
    'systemd, the service of a timer': {
      needs: ['curl', 'systemd-analyze'],
      code: JOB_CODE,
      run: async (text) => {
        const unit = join(folder, 'backup.service');
        await writeFile(unit, text);
        const { stderr } = await run('systemd-analyze', ['verify', '--man=no', unit], { timeout: DEADLINE_MS });
        expect(stderr).not.to.include('backup.service');
        const [, script] = /^ExecStopPost=\/bin\/sh -c '(.*)'$/m.exec(text)!;
        await sh(script!, { EXIT_STATUS: String(JOB_CODE) });
      },
    },
    'GitHub Actions, as the last step': {
      needs: ['curl'],
      code: 1,
      run: async (text) => {
        const [step] = parse(text) as [{ if: string; run: string }];
        expect(step.if).to.equal('always()');
        // What GitHub puts in place of the expression after a failure.
        await sh(step.run.replace(/\$\{\{.*\}\}/, '1'));
      },
    },
    'Kubernetes CronJob, the command of its container': {
      needs: ['curl'],
      code: JOB_CODE,
      run: (text) => {
        const [program, ...args] = (parse(text) as { command: string[] }).command;
        return run(program!, args, { timeout: DEADLINE_MS });
      },
    },
    PowerShell: {
      needs: ['pwsh'],
      code: JOB_CODE,
      run: (text) =>
        run('pwsh', ['-NoProfile', '-Command', text.replace('C:\\Jobs\\backup.ps1', job)], { timeout: DEADLINE_MS }),
    },
  };

  for (const { title, text } of PING_SNIPPETS) {
    it(`${title}: its ping arrives with what the job ended with`, async function () {
      const tool = TOOLS[title]!;
      // Reported as skipped: this machine cannot run it.
      if (!tool.needs.every(has)) return this.skip();
      const { id, pingPath } = await seedHeartbeat({ api: product.api });
      const pingUrl = new URL(pingPath, product.baseUrl).href;
      await tool.run(text.replaceAll('PING_URL', pingUrl).replaceAll(JOB, job));
      const { body } = await product.api<PingView[]>('GET', `/api/v1/monitor/${id}/pings`);
      const [last] = body;
      if (Number.isNaN(tool.code)) expect(last).to.include({ kind: 'success', exitCode: null });
      else expect(last).to.include({ exitCode: tool.code });
      if (title.startsWith('A script')) {
        expect(last).to.include({ body: 'backed up' });
        expect(last!.runtimeMs).to.be.at.least(0);
        expect(body.map(({ kind }) => kind)).to.include('start');
      }
    });
  }

  it('systemd: a job that a signal ended is reported as a failure', async function () {
    if (!has('curl')) return this.skip();
    const { id, pingPath } = await seedHeartbeat({ api: product.api });
    const { text } = PING_SNIPPETS.find(({ language }) => language === 'ini')!;
    const [, script] = /^ExecStopPost=\/bin\/sh -c '(.*)'$/m.exec(text)!;
    await sh(script!.replace('PING_URL', new URL(pingPath, product.baseUrl).href), { EXIT_STATUS: 'KILL' });
    const { body } = await product.api<PingView[]>('GET', `/api/v1/monitor/${id}/pings`);
    expect(body.map(({ kind }) => kind)).to.deep.equal(['fail']);
  });

  it('are those of the guide', async () => {
    const guide = await readFile(GUIDE, 'utf8');
    for (const { title, language, text } of PING_SNIPPETS)
      expect(guide, title).to.include(`${title}:\n\n\`\`\`${language}\n${text}\n\`\`\`\n`);
  });
});
