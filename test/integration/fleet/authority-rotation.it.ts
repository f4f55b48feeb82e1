import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { AUTHORITY_COMMANDS } from '@watchpost/control-plane/app/admin/authority-commands';
import { readAdminConfig } from '@watchpost/control-plane/config/config';
import { runAdmin, type AdminAnswer } from '@watchpost/control-plane/app/admin/run-admin';
import { revokeAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import { systemClock } from '@watchpost/shared/clock';
import { findAuthority } from '@watchpost/agent/sync/find-authority';
import type { StoredCredential } from '@watchpost/agent/sync/credential-file';
import { expect } from 'chai';
import { AgentHome } from '../../support/agent-process.js';
import { eventually } from '../../support/eventually.js';
import { SecureService, type SecureServiceOptions } from './secure-service.js';

const LATEST_MS = 60_000;

describe('the authority of agents’ certificates', function () {
  let service: SecureService;
  let beside: SecureService | undefined;
  let home: AgentHome | undefined;
  afterEach(async () => {
    await home?.dispose();
    await beside?.close();
    await service.stop();
    [home, beside] = [undefined, undefined];
  });

  const start = async (options: SecureServiceOptions = {}) => {
    service = await SecureService.start({ lookMs: 50, ...options });
  };
  const admin = (command: string, key = Buffer.alloc(32, 7)): Promise<AdminAnswer> =>
    runAdmin(['authority', ...command.split(' ')], AUTHORITY_COMMANDS, async () => ({
      deps: {
        db: service.plain.test.database,
        clock: systemClock,
        config: readAdminConfig({ DATABASE_URL: service.plain.test.url, ENCRYPTION_KEY: key.toString('base64') }),
      },
      close: async () => undefined,
    }));
  /** Makes both an hour old, so that every process has had time to read them. */
  const settle = () => service.plain.test.sql(`UPDATE certificate_authority SET created = created - interval '1 hour'`);
  const learned = (one: SecureService) =>
    eventually('the process knows both', () => one.certificates.authorities.length === 2 || undefined, LATEST_MS, 20);
  const isConnected = () => service.plain.fleet.connectedAgents().northeurope === 1;
  const pinOf = ({ token }: { token: string }) => token.split('.')[1];

  it('is replaced while agents run: they renew with the newer one, and the older one is retired', async () => {
    await start({ times: { lifeMs: 9_000 } });
    beside = await SecureService.start({ times: { lifeMs: 9_000 }, lookMs: 50, after: service.plain });
    const before = service.authority;
    const first = await service.token('vm-1');
    const urls = [service, beside].map(({ port }) => `https://127.0.0.1:${port}`).join();
    home = new AgentHome({ CONTROL_PLANE_URL: urls, AGENT_TOKEN: first.token });
    const agent = home.start();
    await eventually('the agent is connected', () => isConnected() || undefined, LATEST_MS, 20);

    expect((await admin('rotate')).exitCode).to.equal(0);
    await settle();
    await beside.close();
    beside = await SecureService.start({ times: { lifeMs: 9_000 }, lookMs: 50, after: service.plain });
    expect(beside.certificates.authorities, 'what is begun outlives a process').to.have.length(2);
    const late = await service.token('vm-2');
    const port = new URL(`https://127.0.0.1:${beside.port}`);
    expect(await findAuthority(port, pinOf(late)!), 'who comes now finds it').to.equal(before);
    expect(pinOf(late), 'the port still presents the older one').to.equal(pinOf(first));
    const held = await admin('retire');
    expect(held.exitCode).to.equal(1);
    expect(held.stderr[0]).to.include(
      `vm-1 in northeurope (${first.agentId}) has not used a certificate of the newer authority`,
    );
    expect(held.stderr[0]).to.include(
      `vm-2 in northeurope (${late.agentId}) has an unused token of the older authority`,
    );

    await eventually(
      'the agent has come with a certificate of the newer one',
      async () => !(await admin('list')).stdout.join().includes(first.agentId) || undefined,
      LATEST_MS,
      100,
    );
    expect((await admin('retire')).stderr[0])
      .to.include('1 agent would')
      .and.to.include(late.agentId);
    await revokeAgent(service.plain.deps, { idOrName: late.agentId, region: null });
    expect((await admin('retire')).exitCode).to.equal(0);
    const newer = await eventually(
      'every process has the newer one only',
      () =>
        [service, beside!].every(({ certificates, authority }) => {
          return certificates.authorities.length === 1 && authority !== before;
        }) || undefined,
      LATEST_MS,
      20,
    ).then(() => service.authority);

    const { authorities } = JSON.parse(readFileSync(join(home.folder, 'credential.json'), 'utf8')) as StoredCredential;
    expect(authorities).to.include(newer);
    agent.kill('SIGKILL');
    await agent.ended(LATEST_MS);
    await eventually('it is gone', () => !isConnected() || undefined, LATEST_MS, 20);
    expect(agent.output()).not.to.match(/stops because it was refused|"level":(50|60)/);
    // as the operator left it: with the former token, which is used and contains the pin of the former authority
    home.start();
    await eventually('it is back', () => isConnected() || undefined, LATEST_MS, 20);

    const { held: anew } = await eventually(
      'the port presents the newer one',
      async () => await service.enroll((await service.token(`vm-${Math.random()}`)).secret).catch(() => undefined),
      LATEST_MS,
    );
    expect(new X509Certificate(anew.certificate).checkIssued(new X509Certificate(newer))).to.equal(true);
  });

  it('is looked up again by a process that does not know it yet', async () => {
    await start();
    beside = await SecureService.start({ lookMs: 3_600_000, after: service.plain });
    await admin('rotate');
    await learned(service);
    await settle();
    // The process may have read both before they were an hour old.
    const { agentId, held } = await eventually(
      'the newer one signs',
      async () => {
        const { agentId, secret } = await service.token(`vm-${Math.random()}`);
        const { held } = await service.enroll(secret);
        const newer = new X509Certificate(service.certificates.authorities[1]!);
        return new X509Certificate(held.certificate).checkIssued(newer) ? { agentId, held } : undefined;
      },
      LATEST_MS,
      20,
    );
    expect(beside.certificates.authorities).to.have.length(1);
    const refused = await beside.pull(beside.client(held));
    expect(refused, 'it is to come again').to.include({ code: status.UNAVAILABLE });
    expect(await beside.pull(beside.client(held))).to.deep.equal({ welcome: agentId });
  });

  it("signs agents' certificates only after every process has had time to read it", async () => {
    await start();
    await admin('rotate');
    await learned(service);
    const issuerOf = async () => {
      const { held } = await service.enroll((await service.token(`vm-${Math.random()}`)).secret);
      const [older, newer] = service.certificates.authorities.map((der) => new X509Certificate(der));
      const certificate = new X509Certificate(held.certificate);
      return certificate.checkIssued(older!) ? 'older' : certificate.checkIssued(newer!) ? 'newer' : 'none';
    };
    expect(await issuerOf()).to.equal('older');
    await settle();
    await service.certificates.refresh();
    expect(await issuerOf()).to.equal('newer');
  });

  it('is retired by force with the names of the agents that are locked out', async () => {
    await start();
    const { agentId, secret } = await service.token('vm-1');
    const { held } = await service.enroll(secret);
    await admin('rotate');
    const { exitCode, stdout } = await admin('retire --force');
    expect(exitCode).to.equal(0);
    expect(stdout.join('\n')).to.include('Locked out').and.to.include(agentId);
    await eventually(
      'its certificate opens nothing',
      async () => {
        const end = await service.pull(service.client(held));
        return ('code' in end && end.code === status.UNAUTHENTICATED) || undefined;
      },
      LATEST_MS,
    );
  });

  it("is replaced once at a time and under the service's key, and the commands explain refusals", async () => {
    await start();
    expect((await admin('retire')).stderr[0]).to.include('one authority only');
    const foreign = await admin('rotate', Buffer.alloc(32, 8));
    expect([foreign.exitCode, foreign.stderr[0]]).to.deep.equal([
      2,
      'ENCRYPTION_KEY is not the one that the control plane runs with.',
    ]);
    const [one, other] = await Promise.all([admin('rotate'), admin('rotate')]);
    expect([one.exitCode, other.exitCode]).to.have.members([0, 1]);
    const { authorities } = JSON.parse((await admin('list --json')).stdout.join('\n')) as {
      authorities: { role: string; pin: string }[];
    };
    expect(authorities.map(({ role }) => role)).to.deep.equal(['older', 'newer']);
    expect(pinOf(await service.token('vm-1'))).to.equal(authorities[0]!.pin);
    for (const wrong of ['rotate --force', 'retire now', 'list --jsn', 'make'])
      expect((await admin(wrong)).exitCode, wrong).to.equal(2);
  });
});
