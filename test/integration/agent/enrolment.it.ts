import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Metadata, status } from '@grpc/grpc-js';
import { revokeAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import { AgentCredential, type Enroll } from '@watchpost/agent/sync/agent-credential';
import { parseAgentToken } from '@watchpost/agent/sync/agent-token';
import type { StoredCredential } from '@watchpost/agent/sync/credential-file';
import { ManualClock, systemClock, type Clock } from '@watchpost/shared/clock';
import { expect } from 'chai';
import { pino } from 'pino';
import { AgentHome } from '../../support/agent-process.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import type { ManagedProcess } from '../../support/managed-process.js';
import { LOOPBACK, secureChannel, SecureService, type SecureServiceOptions } from '../fleet/secure-service.js';

describe('an agent process under mutual TLS', function () {
  let service: SecureService;
  const homes: AgentHome[] = [];
  afterEach(async () => {
    for (const home of homes.splice(0)) await home.dispose();
    await service.stop();
  });

  const start = async (options: SecureServiceOptions = {}) => {
    service = await SecureService.start(options);
  };
  const newHome = (token: string, more: Record<string, string> = {}): AgentHome => {
    const home = new AgentHome({
      CONTROL_PLANE_URL: `https://127.0.0.1:${service.port}`,
      AGENT_TOKEN: token,
      ...more,
    });
    homes.push(home);
    return home;
  };
  const credentialIn = (home: AgentHome): StoredCredential =>
    JSON.parse(readFileSync(join(home.folder, 'credential.json'), 'utf8')) as StoredCredential;
  const isConnected = () => service.plain.fleet.connectedAgents().northeurope === 1;
  const connected = () => eventually('the agent is connected', () => isConnected() || undefined, PATIENCE_MS, 20);
  const logs = (agent: ManagedProcess, text: string) =>
    eventually(`the log contains: ${text}`, () => agent.output().includes(text) || undefined, PATIENCE_MS, 20);

  it('enrols once, stores key and certificate readable by itself only, and needs no token afterwards', async () => {
    await start();
    const { token } = await service.token('vm-1');
    expect(token).to.match(/^wpa_[\w-]{43}\.[\w-]{43}$/);
    const home = newHome(token);
    const agent = home.start();
    await connected();
    expect(statSync(join(home.folder, 'credential.json')).mode & 0o777).to.equal(0o600);
    const { certificate, authorities } = credentialIn(home);
    expect(authorities).to.deep.equal([service.authority]);
    expect(agent.output()).not.to.include(token.split('.')[0]!);
    const metrics = await (await home.ask(agent, '/metrics')).text();
    expect(Number(/^watchpost_certificate_expiry_seconds (\S+)/m.exec(metrics)![1]) * 1_000).to.be.above(Date.now());
    agent.kill('SIGTERM');
    expect((await agent.ended(60_000)).code).to.equal(0);
    await eventually('it is gone', () => !isConnected() || undefined);
    home.start({ AGENT_TOKEN: '' });
    await connected();
    expect(credentialIn(home).certificate).to.equal(certificate);
  });

  it('renews its certificate without interrupting its streams, and reconnects when the old one expires, without losing its checks', async () => {
    await start({ times: { lifeMs: 15_000 }, lookMs: 50 });
    const { token } = await service.token('vm-1');
    const home = newHome(token);
    const agent = home.start();
    await connected();
    const epochs = async () => await service.plain.test.sql(`SELECT epoch FROM fleet_region WHERE members <> '{}'`);
    const before = await eventually('the region has members', async () =>
      (await epochs()).length > 0 ? await epochs() : undefined,
    );
    const renewals = () => agent.output().split('the agent has a new certificate').length - 1;
    await eventually('two renewals', () => renewals() >= 3 || undefined, 90_000);
    const log = agent.output().split('\n');
    const certificates = log.flatMap((line, at) => (line.includes('the agent has a new certificate') ? [at] : []));
    const firstEnd = log.findIndex((line) => line.includes('stream ended'));
    expect(firstEnd, 'streams end when their certificate expires, not when it is renewed').to.be.above(
      certificates[1]!,
    );
    expect(agent.output()).to.include('the control plane asks the agent to reconnect');
    expect(agent.output()).not.to.match(/"level":(50|60)|dropped|RST_STREAM/);
    await connected();
    expect(await epochs(), 'its checks never moved').to.deep.equal(before);
  });

  it('reconnects by itself after its certificate expired while it was switched off', async () => {
    await start({ times: { lifeMs: 3_000 }, lookMs: 50 });
    const { token } = await service.token('vm-1');
    const home = newHome(token);
    const agent = home.start();
    await connected();
    agent.kill('SIGKILL');
    await agent.ended(60_000);
    const { expiresMs, certificate } = credentialIn(home);
    await eventually('it has expired', () => Date.now() > expiresMs || undefined, PATIENCE_MS, 50);
    home.start();
    await eventually('another certificate', () => credentialIn(home).certificate !== certificate || undefined);
    await connected();
  });

  it('stops if its token was used by another agent, and if it is revoked', async () => {
    await start();
    const { token, agentId } = await service.token('vm-1');
    const first = newHome(token).start();
    await connected();
    const thief = newHome(token).start();
    expect((await thief.ended(60_000)).code).to.equal(78);
    expect(thief.output()).to.include('used before, with another key');
    await revokeAgent(service.plain.deps, { idOrName: agentId, region: null });
    expect((await first.ended(60_000)).code).to.equal(78);
    expect(first.output()).to.include('revoked');
  });

  it('does not send its token to an authority that the token does not pin, and retries', async () => {
    await start();
    const { token } = await service.token('vm-1');
    const wrong = `${token.split('.')[0]}.${'A'.repeat(43)}`;
    const agent = newHome(wrong).start();
    await logs(agent, 'stream ended; reconnecting');
    await logs(agent, 'self-signed certificate');
    expect(agent.running).to.equal(true);
    expect(await service.metric('watchpost_agent_enrolments_total')).to.not.match(/ [1-9]/);
  });

  it('does not send its token to another host of the same authority', async () => {
    await start({ source: { hosts: ['other.example'] } });
    const { token } = await service.token('vm-1');
    const agent = newHome(token).start();
    await logs(agent, 'does not match certificate');
    expect(agent.running).to.equal(true);
    expect(await service.metric('watchpost_agent_enrolments_total')).to.not.match(/ [1-9]/);
  });

  it('exits with code 78 and names AGENT_TOKEN if it has neither a token nor a certificate', async () => {
    await start();
    const agent = newHome('').start();
    expect((await agent.ended(60_000)).code).to.equal(78);
    expect(agent.output()).to.include('AGENT_TOKEN is not set');
  });

  const url = () => new URL(`https://127.0.0.1:${service.port}`);
  /** As the agent opens it at its start. */
  const openCredential = (token: string, folder: string, clock: Clock = systemClock) =>
    new AgentCredential({
      isTls: true,
      token: parseAgentToken(token),
      path: join(folder, 'credential.json'),
      extraRoots: [],
      clock,
      logger: pino({ level: 'silent' }),
      version: '1.2.3',
    });
  const enrollAtService = (): Enroll => {
    const client = service.client(undefined, secureChannel(service.authority));
    return (request) =>
      new Promise((resolve, reject) =>
        client.enroll(request, new Metadata(), (error, answer) => (error ? reject(error) : resolve(answer))),
      );
  };

  it('repeats the request with the same key after a lost response, even after a restart', async () => {
    await start();
    const { token, agentId } = await service.token('vm-1');
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-lost-'));
    const enroll = enrollAtService();
    const before = openCredential(token, folder);
    expect(await before.prepareKey(url())).to.equal(true);
    const lost = await before.obtain(async (request) => {
      await enroll(request);
      throw Object.assign(new Error('cut'), { code: status.UNAVAILABLE, details: 'cut' });
    });
    expect(lost).to.deep.equal({ code: status.UNAVAILABLE, details: 'cut' });
    expect(before.isReady).to.equal(false);
    const after = openCredential(token, folder);
    expect(await after.prepareKey(url())).to.equal(false);
    expect(await after.obtain(enroll)).to.equal(undefined);
    expect(after.isReady).to.equal(true);
    expect(await service.pull(service.client(undefined, after.channel(LOOPBACK.verify)))).to.deep.equal({
      welcome: agentId,
    });
    rmSync(folder, { recursive: true });
  });

  it('renews by the control plane’s clock after two thirds of the lifetime, and at once if the control plane reports an expiry', async () => {
    await start();
    const { token } = await service.token('vm-1');
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-clock-'));
    const clock = new ManualClock(Date.now());
    const credential = openCredential(token, folder, clock);
    await credential.prepareKey(url());
    expect([credential.isReady, credential.isRenewalDue]).to.deep.equal([false, false]);
    await credential.obtain(enrollAtService());
    const states: [boolean, boolean][] = [];
    for (const days of [4.6, 0.1, 2.4]) {
      clock.advance(days * 86_400_000);
      states.push([credential.isReady, credential.isRenewalDue]);
    }
    expect(states).to.deep.equal([
      [true, false],
      [true, true],
      [false, true],
    ]);
    clock.advance(-7 * 86_400_000);
    credential.expired();
    expect([credential.isReady, credential.isRenewalDue]).to.deep.equal([false, true]);
    rmSync(folder, { recursive: true });
  });

  it('sends its token to a control plane without certificates, and enrols after that is upgraded', async () => {
    await start();
    const { token } = await service.token('vm-1');
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-old-'));
    const credential = openCredential(token, folder);
    await credential.prepareKey(url());
    const old: Enroll = () =>
      Promise.reject(Object.assign(new Error('no'), { code: status.UNIMPLEMENTED, details: 'no' }));
    expect(await credential.obtain(old)).to.equal(undefined);
    expect(credential.metadata().get('authorization')).to.deep.equal([`Bearer ${token.split('.')[0]}`]);
    expect(credential.isReady).to.equal(false);
    expect(await credential.obtain(enrollAtService())).to.equal(undefined);
    expect(credential.metadata().get('authorization')).to.deep.equal([]);
    expect(credential.isReady).to.equal(true);
    rmSync(folder, { recursive: true });
  });
});
