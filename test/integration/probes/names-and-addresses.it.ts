import { expect } from 'chai';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { startDeafServer } from '../../support/deaf-server.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { expectDown, expectUp, LOOPBACK, run, testProbes } from './probe-check.js';
import type { Probes } from '@watchpost/agent/probes/index';

/** Probes to which every name is these addresses. */
const resolvedTo = (...addresses: string[]): Probes => testProbes({ lookup: (_host, done) => done(null, addresses) });
const failing = (code: string, alive: boolean, afterMs = 0): Probes =>
  testProbes({
    lookup: (_host, done) => void setTimeout(() => done(Object.assign(new Error(code), { code }), []), afterMs),
    isResolverAlive: () => Promise.resolve(alive),
  });

describe('names and addresses', () => {
  let v4: Target;
  let v6: Target;
  before(async () => {
    [v4, v6] = await twoOnOnePort();
  });
  after(() => Promise.all([v4.close(), v6.close()]));

  it('are resolved as on the system, including /etc/hosts', async () => {
    const report = await run(testProbes(), `http://localhost:${v4.port}/`);
    expectUp(report);
    expect(report.timings.dnsUs).to.be.above(0);
    expect(report.address).to.match(/^(127\.0\.0\.1|\[::1\]):/);
  });

  it('can be IPv6, in brackets', async () => {
    const report = await run(testProbes(), `${v6.url}/x`);
    expectUp(report);
    expect(report.address).to.equal(`[::1]:${v6.port}`);
    expect(v6.requests.at(-1)!.headers.host).to.equal(`[::1]:${v6.port}`);
  });

  it('are tried in the order of the resolver, until one accepts', async () => {
    expect((await run(resolvedTo('::1', '127.0.0.1'), `http://shop.example:${v4.port}/`)).address).to.equal(
      `[::1]:${v4.port}`,
    );
    expect((await run(resolvedTo('127.0.0.1', '::1'), `http://shop.example:${v4.port}/`)).address).to.equal(
      `127.0.0.1:${v4.port}`,
    );
    const only4 = await startTarget({ behaviour: answer() });
    const report = await run(resolvedTo('::1', '127.0.0.1'), `http://shop.example:${only4.port}/`);
    await only4.close();
    expectUp(report);
    expect(report.address).to.equal(`127.0.0.1:${only4.port}`);
  });

  it('of this machine are refused before connecting, even public ones', async () => {
    const own = '8.8.8.8';
    const probes = testProbes({
      monitorEgress: createEgressPolicy({ allowCidrs: ['127.0.0.0/8'], ownAddresses: () => [own] }),
      lookup: (_host, done) => done(null, [own]),
    });
    for (const url of ['http://shop.example/', `http://${own}/`, `https://[::ffff:${own}]/`])
      expectDown(await run(probes, url), 'egress', 'address_not_allowed', /is an address of this machine/);
  });

  it('that do not exist make the check down', async () => {
    expectDown(
      await run(testProbes(), 'http://no-such-name.invalid/'),
      'dns',
      'dns_not_found',
      'The name no-such-name.invalid does not exist, or has no address.',
    );
    expectDown(
      await run(resolvedTo(), 'http://shop.example/'),
      'dns',
      'dns_not_found',
      'The name shop.example does not exist, or has no address.',
    );
    expectDown(await run(failing('ENODATA', true), 'http://shop.example/'), 'dns', 'dns_not_found', /does not exist/);
  });

  it('whose name servers fail make the check down, unless the agent’s own resolver fails', async () => {
    expectDown(
      await run(failing('ESERVFAIL', true), 'http://shop.example/'),
      'dns',
      'dns_failure',
      'The name shop.example could not be resolved: the name servers of its domain gave no usable answer (ESERVFAIL).',
    );
    const report = await run(failing('ESERVFAIL', false), 'http://shop.example/');
    expect(report.outcome).to.deep.equal({
      kind: 'inconclusive',
      reason: 'agent_no_network',
      message: 'The agent got no answer from its own DNS resolver.',
    });
    expect(report.evidence).to.equal(null);
    expect((await run(failing('EMFILE', true), 'http://shop.example/')).outcome).to.include({
      kind: 'inconclusive',
      reason: 'agent_no_descriptors',
    });
    expect((await run(failing('ENOBUFS', true), 'http://shop.example/')).outcome).to.include({
      kind: 'inconclusive',
      reason: 'agent_overloaded',
    });
  });

  it('that are not resolved in time are distinguished in the same way', async () => {
    const report = await run(failing('ESERVFAIL', true, 2_000), 'http://shop.example/', { timeoutMs: 200 });
    expectDown(report, 'dns', 'timeout', 'The name shop.example was not resolved within 0.2 s.');
    expect(report.timings.dnsUs).to.be.at.least(190_000);
    expect(
      (await run(failing('ESERVFAIL', false, 2_000), 'http://shop.example/', { timeoutMs: 200 })).outcome,
    ).to.include({ kind: 'inconclusive', reason: 'agent_no_network' });
  });

  it('outside the policy are never connected to, whatever name has them', async () => {
    const before = v4.connections;
    for (const [probes, url] of [
      [testProbes(), `http://127.0.0.1:${v4.port}/`],
      [testProbes(), `http://2130706433:${v4.port}/`],
      [testProbes(), `http://localhost:${v4.port}/`],
      [resolvedTo('127.0.0.1'), `http://shop.example:${v4.port}/`],
      [resolvedTo('::ffff:127.0.0.1'), `http://shop.example:${v4.port}/`],
      [resolvedTo('10.0.0.1', '::1'), `http://shop.example:${v4.port}/`],
    ] as const) {
      const report = await run(probes, url, { egress: 'public' });
      expectDown(
        report,
        'egress',
        'address_not_allowed',
        /^Checks may not connect to .*: .* is (a|the) (loopback|private) address \(.*\)\.$/,
      );
      expect(report.address).to.equal(null);
    }
    expect(v4.connections).to.equal(before);
  });

  it('outside the policy are skipped if others are allowed', async () => {
    const report = await run(resolvedTo('10.0.0.1', '127.0.0.1'), `http://shop.example:${v4.port}/`);
    expectUp(report);
    expect(report.address).to.equal(`127.0.0.1:${v4.port}`);
  });

  it('are checked again after connecting', async () => {
    let asked = 0;
    const probes = testProbes({
      monitorEgress: {
        ...LOOPBACK,
        allows: (address) => address === 'localhost' || (address === '127.0.0.1' && asked++ === 0),
      },
      lookup: (_host, done) => done(null, ['localhost']),
    });
    // The policy is asked of the name first, and of the peer that it turned out to be afterwards.
    asked = 1;
    expectDown(await run(probes, `http://shop.example:${v4.port}/`), 'egress', 'address_not_allowed', /127\.0\.0\.1/);
  });

  it('that all refuse make the check down with the fault of the first', async () => {
    expectDown(
      await run(testProbes(), 'http://127.0.0.1:1/'),
      'connect',
      'connection_refused',
      'The server at 127.0.0.1:1 refused the connection.',
    );
    expectDown(
      await run(resolvedTo('::1', '127.0.0.1'), 'http://shop.example:1/'),
      'connect',
      'connection_refused',
      'The server at [::1]:1 refused the connection.',
    );
  });

  it('that cannot be connected to are invalid targets', async () => {
    for (const [url, why] of [
      ['not a url', 'its URL cannot be read'],
      ['ftp://shop.example/', 'its URL is not http or https, but ftp'],
      ['http://user:pw@shop.example/', 'its URL contains credentials'],
    ] as const) {
      const report = await run(testProbes(), url);
      expect(report.outcome).to.deep.equal({
        kind: 'down',
        phase: 'request',
        reason: 'invalid_target',
        message: `The check cannot be sent: ${why}.`,
      });
    }
  });

  describe('of a server that does not accept the connection', () => {
    let deaf: { port: number; stop(): void };
    before(async () => {
      deaf = await startDeafServer();
    });
    after(() => deaf.stop());

    it('make the check down after the timeout', async () => {
      const report = await run(testProbes(), `http://127.0.0.1:${deaf.port}/`, { timeoutMs: 300 });
      expectDown(report, 'connect', 'timeout', `No connection to 127.0.0.1:${deaf.port} within 0.3 s.`);
      expect(report.timings.connectUs).to.be.at.least(250_000);
      expect(report.address).to.equal(`127.0.0.1:${deaf.port}`);
    });

    it('do not delay the other address family, which is tried a quarter of a second later', async () => {
      const other = await startTarget({ behaviour: answer(), host: '::1', port: deaf.port });
      const report = await run(resolvedTo('127.0.0.1', '::1'), `http://shop.example:${deaf.port}/`);
      await other.close();
      expectUp(report);
      expect(report.address).to.equal(`[::1]:${deaf.port}`);
      expect(report.timings.connectUs).to.be.at.least(240_000);
    });
  });
});

/** Of both families; a port that is free in one can be taken in the other. */
async function twoOnOnePort(): Promise<[Target, Target]> {
  for (;;) {
    const v4 = await startTarget({ behaviour: answer() });
    const v6 = await startTarget({ behaviour: answer(), host: '::1', port: v4.port }).catch(() => null);
    if (v6) return [v4, v6];
    await v4.close();
  }
}
