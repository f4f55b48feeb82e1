import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { grafanaAccount } from '@watchpost/cli/import/grafana-oncall/fixtures/grafana-account';
import {
  finalTimeline,
  type OpsgenieOverride,
  type OpsgenieRotation,
} from '@watchpost/cli/import/opsgenie/fixtures/final-timeline';
import { opsgenieAccount } from '@watchpost/cli/import/opsgenie/fixtures/opsgenie-account';
import { systemClock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { SERVICE_KEY, startGrafanaOnCall, startOpsgenie } from '../../support/on-call-services.js';
import type { Json } from '../../support/product.js';
import { runCli, runCliProcess } from '../../support/run-cli.js';
import { appForSuite } from '../../support/suite.js';
import { type CliWorld, makeCliWorld } from './cli-world.js';

const NOW_MS = Date.now();
const OPSGENIE = opsgenieAccount(NOW_MS);
const OFFSETS: Readonly<Record<string, number>> = { 'Asia/Tokyo': 9, 'Asia/Kolkata': 5.5, UTC: 0 };

describe('watchpost import opsgenie and grafana-oncall', () => {
  const app = appForSuite({ clock: systemClock });
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-on-call-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const fileOf = async (name: string, content: unknown): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, JSON.stringify(content));
    return file;
  };
  /** A workspace with these people, by their addresses. */
  async function worldOf(addresses: readonly string[]): Promise<CliWorld> {
    const world = await makeCliWorld(app);
    for (const address of addresses) {
      const { userId } = await app.user();
      await app.sql('UPDATE user_account SET email = $2 WHERE id = $1', [userId, address.toLowerCase()]);
      await app.sql(
        `INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used) VALUES ($1, $2, $3, 'Responder', now(), now())`,
        [newId(NOW_MS), world.workspaceId, userId],
      );
    }
    return world;
  }
  const timelines = Object.fromEntries(
    OPSGENIE.schedules.map(({ id, timezone, rotations }) => [
      id,
      finalTimeline(
        rotations as OpsgenieRotation[],
        (OPSGENIE.overrides as Json[]).filter(({ _parent }) => _parent.id === id) as OpsgenieOverride[],
        { fromMs: NOW_MS - DAY_MS, toMs: NOW_MS + 31 * DAY_MS, offsetMs: OFFSETS[String(timezone)]! * HOUR_MS },
      ),
    ]),
  );

  it('applies an account of Opsgenie with 40 users, 8 teams, 12 schedules and 10 policies in one pipe', async () => {
    const world = await worldOf(OPSGENIE.users.map(({ username }) => String(username)));
    const file = await fileOf('opsgenie.json', OPSGENIE);
    const imported = await runCliProcess(['import', 'opsgenie', file, '--with-secrets']);
    expect(imported.exitCode, imported.stderr).to.equal(0);
    const applied = await runCliProcess(['apply', '-f', '-', '--yes'], { env: world.env, input: imported.stdout });
    expect(applied.exitCode, applied.stdout + applied.stderr).to.equal(0);
    const { body: teams } = await world.api('GET', '/api/v1/teams?pageSize=50');
    expect(teams).to.have.lengthOf(9);
    const counts = await Promise.all(
      (teams as Json[]).map(async ({ id }) => (await world.api('GET', `/api/v1/teams/${id}/schedules`)).body.length),
    );
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).to.equal(14);
    const policies = await Promise.all(
      (teams as Json[]).map(async ({ id }) => (await world.api('GET', `/api/v1/teams/${id}/escalation-policies`)).body),
    );
    expect(policies.flat().filter(({ builtIn }: Json) => !builtIn)).to.have.lengthOf(10);
    const again = await world.run(['diff', '-f', '-'], { input: imported.stdout });
    expect(again.exitCode, again.stdout).to.equal(0);
  });

  it('reads the API of Opsgenie by pages, waits where it is refused, and finds the same shifts as its final schedule', async () => {
    const service = await startOpsgenie(OPSGENIE, timelines);
    try {
      service.refusals = 2;
      const args = ['import', 'opsgenie', '--api-key', SERVICE_KEY, '--url', service.url];
      const verified = await runCli([...args, '--verify']);
      expect([verified.exitCode, verified.stderr.split('\n').filter((line) => / to .*Z: /.test(line))]).to.deep.equal([
        0,
        [],
      ]);
      expect(verified.stderr).to.contain('0 differences of shifts from ');
      expect(service.asked.filter((path) => path.startsWith('/v2/users'))).to.have.lengthOf(5);
      const ofFile = await runCli(['import', 'opsgenie', await fileOf('same.json', OPSGENIE)]);
      expect(verified.stdout).to.equal(ofFile.stdout);

      const refused = await runCli(['import', 'opsgenie', '--api-key', 'other', '--url', service.url]);
      expect([refused.exitCode, refused.stdout]).to.deep.equal([1, '']);
      expect(refused.stderr).to.contain('Opsgenie refuses the key at /v2/users (status 403)');
    } finally {
      await service.close();
    }
  });

  it('names the differences, with the exit code of differences', async () => {
    const later = structuredClone(OPSGENIE);
    for (const rotation of later.schedules[5]!['rotations'] as Json[]) rotation.participants.reverse();
    const service = await startOpsgenie(later, timelines);
    try {
      const { exitCode, stderr } = await runCli([
        'import',
        'opsgenie',
        '--api-key',
        SERVICE_KEY,
        '--url',
        service.url,
        '--verify',
      ]);
      expect(exitCode).to.equal(2);
      expect(stderr).to.match(
        /schedule "Schedule 5": \S+Z to \S+Z: person\d+@acme\.example in Opsgenie, person\d+@acme\.example here/,
      );
    } finally {
      await service.close();
    }
  });

  it('reads Grafana OnCall from its API, and applies what it makes of it', async () => {
    const account = grafanaAccount(NOW_MS);
    const service = await startGrafanaOnCall(account);
    try {
      const world = await worldOf(['ada@acme.example', 'bob@acme.example', 'cyd@acme.example']);
      const args = ['import', 'grafana-oncall', '--api-key', SERVICE_KEY, '--with-secrets'];
      const unnamed = await runCli(args);
      expect([unnamed.exitCode, unnamed.stderr]).to.deep.equal([
        64,
        'error: Grafana OnCall has no usual address.\nName that of its API with `--url`.\n',
      ]);
      const imported = await runCli([...args, '--url', service.url]);
      expect(imported.exitCode, imported.stderr).to.equal(0);
      const applied = await world.run(['apply', '-f', '-', '--yes'], { input: imported.stdout });
      expect(applied.exitCode, applied.stdout + applied.stderr).to.equal(0);
      const both = await runCli(['import', 'grafana-oncall', 'a.json', '--api-key', 'x']);
      expect(both.exitCode).to.equal(64);
    } finally {
      await service.close();
    }
  });
});
