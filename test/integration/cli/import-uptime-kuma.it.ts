import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '@watchpost/shared/clock';
import { backupFile, sqliteFile } from '@watchpost/cli/kuma/fixtures/kuma-files';
import { variedInstallation, VARIED_SECRETS } from '@watchpost/cli/kuma/fixtures/varied-installation';
import { runCli, runCliProcess } from '../../support/run-cli.js';
import { makeWorld, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

const VARIED = variedInstallation(Date.now());

describe('watchpost import uptime-kuma', () => {
  const app = appForSuite({ env: { PROBE_ALLOW_CIDRS: '10.0.0.0/8' }, clock: systemClock });
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-kuma-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const fileOf = async (name: string, bytes: Uint8Array): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, bytes);
    return file;
  };
  /** Slugs are unique in the whole installation. */
  const ownSlugs = (document: string, { workspaceId }: World) =>
    document.replace(/^( +slug: ).*$/gm, (_, slug: string, at: number) => `${slug}p${at}-${workspaceId.slice(-12)}`);

  it('prints a document that a workspace takes as it is, from every kind of file', async () => {
    const files = {
      'kuma-1.db': await sqliteFile('1.x', VARIED),
      'kuma-2.db': await sqliteFile('2.x', VARIED),
      'backup.json': backupFile(VARIED),
    };
    for (const [name, bytes] of Object.entries(files)) {
      const world = await makeWorld(app, 'Enterprise');
      const imported = await runCli(['import', 'uptime-kuma', await fileOf(name, bytes), '--with-secrets']);
      expect(imported.exitCode, imported.stderr).to.equal(0);
      const document = ownSlugs(imported.stdout, world);
      const applied = await world.api('POST', '/api/v1/config/apply', { document });
      expect(applied.status, JSON.stringify(applied.body)).to.equal(200);
      expect(applied.body.summary).to.include({ create: name === 'backup.json' ? 18 : 25 });
      const again = await world.api('POST', '/api/v1/config/plan', { document });
      expect(again.body.summary, name).to.include({ create: 0, update: 0, orphan: 0 });
      const { body: monitors } = await world.api('GET', '/api/v1/monitor?pageSize=200&sort=name');
      expect(monitors.map((monitor: { name: string }) => monitor.name)).to.include.members(['Shop', 'Backup', 'Mail']);
      await app.sql('DELETE FROM imported_ping_token');
    }
  });

  it('writes the secrets to a file that a shell reads and nobody else', async () => {
    const file = await fileOf('kuma.db', await sqliteFile('2.x', VARIED));
    const secrets = join(folder, 'kuma.env');
    const args = ['import', 'uptime-kuma', file, '--secrets-file', secrets];
    const imported = await runCliProcess(args);
    expect(imported.exitCode, imported.stderr).to.equal(0);
    expect((await stat(secrets)).mode & 0o777).to.equal(0o600);
    const text = await readFile(secrets, 'utf8');
    expect(text).to.contain("KUMA_CHAT_WEBHOOK_URL='https://hooks.slack.com/services/T0/B0/c0de'\n");
    for (const secret of VARIED_SECRETS) expect(imported.stdout + imported.stderr).to.not.contain(secret);
    const again = await runCliProcess(args);
    expect([again.exitCode, again.stdout]).to.deep.equal([1, '']);
    expect(again.stderr).to.contain('cannot be written');
  });

  it('prints document and report as JSON, and the reason where the file is none of Uptime Kuma', async () => {
    const { stdout, stderr } = await runCli([
      'import',
      'uptime-kuma',
      await fileOf('b.json', backupFile(VARIED)),
      '--json',
    ]);
    const { document, report } = JSON.parse(stdout);
    expect(document).to.contain('project: uptime-kuma');
    expect(report.join('\n')).to.contain('monitor "Container": not taken over');
    expect(stderr).to.equal('');
    for (const [file, reason] of [
      [join(folder, 'missing.db'), 'cannot be read'],
      [await fileOf('other.json', Buffer.from('{}')), 'no backup of Uptime Kuma'],
    ] as const) {
      const refused = await runCli(['import', 'uptime-kuma', file]);
      expect([refused.exitCode, refused.stdout]).to.deep.equal([1, '']);
      expect(refused.stderr).to.contain(reason);
    }
  });
});
