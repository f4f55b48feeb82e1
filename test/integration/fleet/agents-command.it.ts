import { expect } from 'chai';
import { systemClock } from '@watchpost/shared/clock';
import { AGENT_COMMANDS } from '@watchpost/control-plane/app/admin/agent-commands';
import { readAdminConfig } from '@watchpost/control-plane/config/config';
import { runAdmin, type AdminAnswer } from '@watchpost/control-plane/app/admin/run-admin';
import { eventually } from '../../support/eventually.js';
import { startedForSuite } from '../../support/suite.js';
import { FleetService } from './fleet-service.js';

describe("the operators' commands for agents", function () {
  const service = startedForSuite(() => FleetService.start());

  const run = (...argv: string[]): Promise<AdminAnswer> =>
    runAdmin(argv, AGENT_COMMANDS, async () => ({
      deps: {
        db: service.test.database,
        clock: systemClock,
        config: readAdminConfig({ DATABASE_URL: service.test.url }),
      },
      close: async () => undefined,
    }));

  it('create an agent with a valid token, and print only JSON to standard output', async () => {
    const { exitCode, stdout, stderr } = await run(
      'agents',
      'create',
      '--region',
      'EastUS2',
      '--name',
      'vm-1',
      '--json',
    );
    expect([exitCode, stdout.length, stderr.length]).to.deep.equal([0, 1, 0]);
    const created = JSON.parse(stdout[0]!) as { agentId: string; token: string; region: string };
    expect(Object.keys(created)).to.deep.equal(['agentId', 'token', 'region']);
    expect(created.region).to.equal('eastus2');
    expect(created.token).to.match(/^wpa_[A-Za-z0-9_-]{43}$/);
    const agent = service.client(created.token).connect();
    await agent.has(0);
    expect(await service.fleet.authenticate(created.token)).to.include({ agentId: created.agentId, region: 'eastus2' });
    const rows = await service.test.sql<{ text: string }>('SELECT agent::text AS text FROM agent');
    expect(rows.map(({ text }) => text).join()).not.to.contain(created.token.slice(4));
  });

  it('refuse a duplicate name within a region until the first agent is revoked', async () => {
    expect((await run('agents', 'create', '--region', 'japaneast', '--name', 'twin')).exitCode).to.equal(0);
    expect((await run('agents', 'create', '--region', 'japaneast', '--name', 'twin')).stderr[0]).to.contain(
      'There is an agent twin in japaneast',
    );
    expect((await run('agents', 'create', '--region', 'brazilsouth', '--name', 'twin')).exitCode).to.equal(0);
    expect((await run('agents', 'revoke', '--name', 'twin')).stderr[0]).to.contain('brazilsouth, japaneast');
    expect((await run('agents', 'revoke', '--name', 'twin', '--region', 'japaneast')).exitCode).to.equal(0);
    expect((await run('agents', 'create', '--region', 'japaneast', '--name', 'twin')).exitCode).to.equal(0);
  });

  it('list agents as a table and as JSON', async () => {
    const table = await run('agents', 'list');
    expect(table.stdout[0]).to.match(
      /^REGION +NAME +VERSION +STATE +LACKS +CHECKS +LAG P99 +SPOOL +LAST SEEN +CERTIFICATE +ID$/,
    );
    const agents = JSON.parse((await run('agents', 'list', '--json')).stdout.join('\n')) as Record<string, unknown>[];
    expect(agents).to.have.length(table.stdout.length - 1);
    expect(agents[0]).to.have.all.keys(
      'agentId',
      'name',
      'region',
      'state',
      'status',
      'version',
      'checks',
      'spoolDepth',
      'lagP99Ms',
      'visibility',
      'lacks',
      'lastSeen',
      'created',
      'certificateExpires',
    );
  });

  it('show whether an agent is connected, silent or new', async () => {
    await run('agents', 'create', '--region', 'westus3', '--name', 'never');
    const stateOf = async (name: string) =>
      (JSON.parse((await run('agents', 'list', '--json')).stdout.join('\n')) as { name: string; state: string }[]).find(
        (agent) => agent.name === name,
      )?.state;
    const seen = async () => (await run('agents', 'list')).stdout.find((line) => line.includes(' seen '));
    const { stdout } = await run('agents', 'create', '--region', 'eastus2', '--name', 'seen', '--json');
    expect(await stateOf('seen')).to.equal('new');
    const client = service.client((JSON.parse(stdout[0]!) as { token: string }).token).connect({ canTrace: false });
    await client.has(0);
    await eventually(
      'what its machine lacks',
      async () => / ping,traceroute /.test((await seen())!) || undefined,
      30_000,
    );
    await eventually('the hello is written', async () => ((await stateOf('seen')) === 'connected' ? true : undefined));
    await service.test.sql(`UPDATE agent SET last_seen = last_seen - interval '1 minute' WHERE name = 'seen'`);
    expect(await stateOf('seen')).to.equal('silent');
  });

  it('issue a new token to an agent that lost its data, and the former one is refused', async () => {
    const { stdout } = await run('agents', 'create', '--region', 'eastus2', '--name', 'lost', '--json');
    const before = JSON.parse(stdout[0]!) as { agentId: string; token: string };
    const again = await run('agents', 'reissue', '--name', 'lost', '--json');
    const after = JSON.parse(again.stdout[0]!) as { agentId: string; token: string };
    expect(after.agentId).to.equal(before.agentId);
    expect(await service.fleet.authenticate(before.token)).to.equal('unknown');
    expect(await service.fleet.authenticate(after.token)).to.include({ agentId: before.agentId });
    await run('agents', 'revoke', before.agentId);
    expect((await run('agents', 'reissue', before.agentId)).stderr[0]).to.contain('is revoked');
  });

  it('drain an agent by its id', async () => {
    const { stdout } = await run('agents', 'create', '--region', 'westus3', '--name', 'old', '--json');
    const { agentId } = JSON.parse(stdout[0]!) as { agentId: string };
    expect((await run('agents', 'drain', agentId)).stdout[0]).to.contain('drains');
    const agents = JSON.parse((await run('agents', 'list', '--json')).stdout.join('\n')) as {
      agentId: string;
      status: string;
    }[];
    expect(agents.find((agent) => agent.agentId === agentId)!.status).to.equal('draining');
  });

  it('delete an agent once it is silent, with its certificates and its place in the region', async () => {
    const { stdout } = await run('agents', 'create', '--region', 'centralindia', '--name', 'left', '--json');
    const { agentId, token } = JSON.parse(stdout[0]!) as { agentId: string; token: string };
    const client = service.client(token).connect();
    await client.has(0);
    const region = async () =>
      (
        await service.test.sql<{ epoch: number; members: string[] }>(
          `SELECT epoch, members FROM fleet_region WHERE region = 'centralindia'`,
        )
      )[0]!;
    await eventually('the agent is a member', async () =>
      (await region()).members.includes(agentId) ? true : undefined,
    );
    const { epoch } = await region();
    await eventually('the hello is written', async () => {
      const lastSeen = await service.test.value<Date | null>(
        'SELECT last_seen AS "lastSeen" FROM agent WHERE id = $1',
        [agentId],
      );
      return lastSeen ?? undefined;
    });
    const refused = await run('agents', 'delete', agentId);
    expect([refused.exitCode, refused.stderr[0]]).to.deep.equal([
      1,
      'The agent left was connected a moment ago: stop or revoke it, and delete it 15 seconds later.',
    ]);
    client.disconnect();
    const { stdout: deleted } = await eventually('the agent is silent, and its last heartbeat is stored', async () => {
      await service.test.sql(`UPDATE agent SET last_seen = last_seen - interval '1 minute' WHERE id = $1`, [agentId]);
      const answer = await run('agents', 'delete', '--name', 'left');
      return answer.exitCode === 0 ? answer : undefined;
    });
    expect(deleted[0]).to.contain('in centralindia is deleted');
    expect((await region()).members).to.deep.equal([]);
    expect((await region()).epoch).to.be.above(epoch);
    expect(await service.fleet.authenticate(token)).to.equal('unknown');
    expect((await run('agents', 'list')).stdout.join()).not.to.contain(agentId);
    expect((await run('agents', 'delete', agentId)).exitCode).to.equal(1);
  });

  it('explain wrong usage with exit code 2, and unknown agents with exit code 1', async () => {
    for (const argv of [
      [],
      ['agents'],
      ['agents', 'make'],
      ['agents', 'create'],
      ['agents', 'create', '--region', 'mars', '--name', 'x'],
      ['agents', 'create', '--region', 'eastus2', '--name', 'x', '--colour', 'red'],
      ['agents', 'create', '--region', 'eastus2', '--name', 'x', 'y'],
      ['agents', 'create', '--region', 'eastus2', '--name', ' '],
      ['agents', 'revoke'],
    ]) {
      const { exitCode, stdout, stderr } = await run(...argv);
      expect(exitCode, argv.join(' ')).to.equal(2);
      expect(stdout).to.deep.equal([]);
      expect(stderr.join('')).to.not.equal('');
    }
    expect((await run('agents', 'revoke', '--name', 'nobody')).exitCode).to.equal(1);
    expect((await run('--help')).exitCode).to.equal(0);
  });
});
