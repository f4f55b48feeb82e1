import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Answer } from 'dns-packet';
import { sslCheck } from '@watchpost/shared/checks/ssl';
import { tcpUdpCheck } from '@watchpost/shared/checks/tcp-udp';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { SystemNames } from '@watchpost/shared/names/system-names';
import { createEgressPolicy } from '@watchpost/shared/egress';
import type { Probes, ProbesOptions } from '@watchpost/agent/probes/index';
import { records, startNameServer, type NameBehaviour, type NameServer } from '../../support/name-server.js';
import { createAuthority } from '../../support/certificates.js';
import { startDeafServer, type DeafServer } from '../../support/deaf-server.js';
import { answer, redirectTo } from '../../support/target-behaviours.js';
import { startTarget, type Target, type TargetOptions } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes } from '../probes/probe-check.js';

const a = (name: string, data: string): Answer => ({ type: 'A', name, ttl: 300, data });
const aaaa = (name: string, data: string): Answer => ({ type: 'AAAA', name, ttl: 300, data });

describe('the addresses of a check', () => {
  let folder: string;
  let server: NameServer;
  let probes: Probes;
  let probesWith: (options: Partial<ProbesOptions>) => Probes;
  const targets: Target[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'watchpost-addresses-'));
    server = await startNameServer({ behaviour: records([]) });
    writeFileSync(join(folder, 'resolv.conf'), `nameserver [${server.host}]:${server.port}\n`);
    writeFileSync(join(folder, 'hosts'), '127.0.0.1 written.example\n');
    const names = new SystemNames({ resolvConf: join(folder, 'resolv.conf'), hosts: join(folder, 'hosts') });
    // Addresses of groups are allowed: every kernel answers a connection to one that it has no route.
    const monitorEgress = createEgressPolicy({ allowCidrs: ['127.0.0.0/8', '::1/128', '224.0.0.0/4', 'ff00::/8'] });
    probesWith = (options) => testProbes({ names, monitorEgress, ...options });
    probes = probesWith({});
  });
  afterEach(() => Promise.all(targets.splice(0).map((target) => target.close())));
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const named = (...list: Answer[]) => server.behave(records(list));
  const serve = async (host: string, port = 0, options: Partial<TargetOptions> = {}) => {
    const target = await startTarget({ behaviour: answer(), host, ...(port === 0 ? {} : { port }), ...options });
    targets.push(target);
    return target;
  };
  /** They are of both families on one port; one that is free in one can be taken in the other. */
  const serveBoth = async (): Promise<Target> => {
    for (;;) {
      const v4 = await serve('127.0.0.1');
      if (await serve('::1', v4.port).catch(() => null)) return v4;
    }
  };

  /** A port that does not answer on one address, and works on the other. */
  const deafBeside = async (host: string, working: string): Promise<DeafServer> => {
    for (;;) {
      const deaf = await startDeafServer(host);
      if (await serve(working, deaf.port).catch(() => null)) return deaf;
      deaf.stop();
    }
  };

  it('are of one family where the monitor has one, of which alone the resolver is asked', async () => {
    const { port } = await serveBoth();
    named(a('shop.example', '127.0.0.1'), aaaa('shop.example', '::1'));
    for (const [addresses, type, expected] of [
      ['ipv4', 'A', '127.0.0.1'],
      ['ipv6', 'AAAA', '[::1]'],
    ] as const) {
      server.asked.splice(0);
      const report = await run(probes, `http://shop.example:${port}/`, { addresses });
      expectUp(report);
      expect(report.address).to.equal(`${expected}:${port}`);
      expect(new Set(server.asked.map(({ question }) => question.type))).to.deep.equal(new Set([type]));
    }
  });

  it('of a family that the name really lacks make the check down, also where the hosts file has the other one', async () => {
    named(a('shop.example', '127.0.0.1'));
    for (const host of ['shop.example', 'written.example', 'nowhere.example'])
      expectDown(
        await run(probes, `http://${host}/`, { addresses: 'ipv6' }),
        'dns',
        'dns_not_found',
        `The host ${host} has no IPv6 address.`,
      );
  });

  it('of a family about which the name servers fail are not reported as missing', async () => {
    const broken: NameBehaviour = ({ question }) =>
      question.type === 'AAAA' ? { rcode: 'SERVFAIL' } : { answers: [a('shop.example', '127.0.0.1')] };
    server.behave(broken);
    expectDown(await run(probes, 'http://shop.example/', { addresses: 'ipv6' }), 'dns', 'dns_failure', /SERVFAIL/);
  });

  it('to which the agent has no route leave the check inconclusive', async () => {
    named(a('shop.example', '224.0.0.1'), aaaa('shop.example', 'ff0e::1'));
    for (const addresses of ['ipv4', 'ipv6'] as const) {
      const { outcome } = await run(probes, 'http://shop.example/', { addresses });
      expect(outcome, addresses).to.include({ kind: 'inconclusive', reason: 'agent_no_network' });
    }
  });

  it('that are IPv4 addresses in the form of IPv6 are IPv4 addresses', async () => {
    const { port } = await serve('127.0.0.1');
    named(aaaa('shop.example', '::ffff:127.0.0.1'));
    const url = `http://shop.example:${port}/`;
    expect((await run(probes, url)).address).to.equal(`127.0.0.1:${port}`);
    expectDown(await run(probes, url, { addresses: 'ipv6' }), 'dns', 'dns_not_found', /has no IPv6 address/);
  });

  it('stay in their family over redirects, also to an address', async () => {
    const { port } = await serveBoth();
    const first = await serve('::1', 0, { behaviour: redirectTo(`http://127.0.0.1:${port}/`) });
    named(aaaa('shop.example', '::1'));
    const url = `http://shop.example:${first.port}/`;
    expectUp(await run(probes, url));
    expectDown(
      await run(probes, url, { addresses: 'ipv6' }),
      'dns',
      'dns_not_found',
      'The host 127.0.0.1 has no IPv6 address.',
    );
  });

  describe('where each is checked', () => {
    const each = { addresses: 'each' } as const;
    const hosts = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `127.0.0.${from + index}`);
    const statuses = (report: ProbeReport) =>
      Object.fromEntries((report.addresses ?? []).map(({ address, status }) => [address, status]));
    /** One port of all of these, which can be taken on some. */
    const portOfAll = async (wanted: readonly string[], options: Partial<TargetOptions> = {}): Promise<number> => {
      const { port } = await serve(wanted[0]!, 0, options);
      const others = await Promise.all(wanted.slice(1).map((host) => serve(host, port, options).catch(() => null)));
      if (others.every((other) => other !== null)) return port;
      await Promise.all(targets.splice(0).map((target) => target.close()));
      return portOfAll(wanted, options);
    };

    it('are all connected to, each on a connection of its own, and the check is up where all work', async () => {
      const port = await portOfAll(hosts(1, 3));
      named(...hosts(1, 3).map((host) => a('shop.example', host)));
      const report = await run(probes, `http://shop.example:${port}/`, each);
      expectUp(report);
      expect(statuses(report)).to.deep.equal({
        '127.0.0.1': 'available',
        '127.0.0.2': 'available',
        '127.0.0.3': 'available',
      });
      expect(targets.map(({ connections }) => connections)).to.deep.equal([1, 1, 1]);
      expect(report.addresses!.every(({ responseUs }) => responseUs! > 0)).to.equal(true);
    });

    it('make the check partly down where some fail, down where all do, and down at once where each must work', async () => {
      const port = await portOfAll(hosts(1, 2));
      named(...hosts(1, 4).map((host) => a('shop.example', host)));
      const url = `http://shop.example:${port}/`;
      const message = `2 of 4 addresses failed: 127.0.0.3:${port} refused the connection.`;
      const report = await run(probes, url, each);
      expectDown(report, 'connect', 'connection_refused', message);
      expect(report.outcome).to.include({ isPartial: true });
      expect(statuses(report)).to.include({ '127.0.0.2': 'available', '127.0.0.3': 'unavailable' });
      expect(report.evidence!.resolved).to.have.members(hosts(1, 4));
      const strict = await run(probes, url, { ...each, eachMustWork: true });
      expectDown(strict, 'connect', 'connection_refused', message);
      expect(strict.outcome).to.not.have.property('isPartial');
      named(...hosts(3, 4).map((host) => a('shop.example', host)));
      const all = await run(probes, url, each);
      expectDown(all, 'connect', 'connection_refused', /^2 of 2 addresses failed: /);
      expect(all.outcome).to.not.have.property('isPartial');
    });

    it('name the one that does not answer', async () => {
      const deaf = await deafBeside('127.0.0.7', '127.0.0.1');
      try {
        named(a('shop.example', '127.0.0.1'), a('shop.example', '127.0.0.7'));
        const report = await run(probes, `http://shop.example:${deaf.port}/`, { ...each, timeoutMs: 1_000 });
        const message = `1 of 2 addresses failed: 127.0.0.7:${deaf.port} did not answer the connection in time.`;
        expectDown(report, 'connect', 'timeout', message);
      } finally {
        deaf.stop();
      }
    });

    it('are left out, and named, without a route to their family; inconclusive where none is left', async () => {
      const { port } = await serve('127.0.0.1');
      named(a('shop.example', '127.0.0.1'), aaaa('shop.example', 'ff0e::1'));
      const report = await run(probes, `http://shop.example:${port}/`, each);
      expectUp(report);
      expect(statuses(report)).to.deep.equal({ '127.0.0.1': 'available', 'ff0e::1': 'notChecked' });
      expect(report.addressWarnings).to.deep.equal(['IPv6 was not checked: the agent has no route to it.']);
      named(aaaa('shop.example', 'ff0e::1'));
      const { outcome } = await run(probes, `http://shop.example:${port}/`, each);
      expect(outcome).to.include({ kind: 'inconclusive', reason: 'agent_no_network' });
    });

    it('are never connected to where the policy refuses them, which is a failure of that address', async () => {
      const { port } = await serve('127.0.0.1');
      named(a('shop.example', '127.0.0.1'), a('shop.example', '10.0.0.1'));
      const report = await run(probes, `http://shop.example:${port}/`, each);
      expectDown(
        report,
        'egress',
        'address_not_allowed',
        /^1 of 2 addresses failed: .*10\.0\.0\.1 is a private address/,
      );
    });

    it('are at most ten of five hundred, the same ones whatever their order, and one address once', async () => {
      const port = await portOfAll(hosts(1, 1));
      const many = Array.from(
        { length: 500 },
        (_, index) => `127.0.${Math.floor(index / 250) + 1}.${(index % 250) + 1}`,
      );
      const seen: string[][] = [];
      for (const list of [many, many.toReversed()]) {
        named(...list.map((host) => a('shop.example', host)));
        const report = await run(probes, `http://shop.example:${port}/`, each);
        expect(report.outcome.kind).to.equal('down');
        expect(report.addressWarnings).to.deep.equal(['10 of 500 addresses were checked.']);
        seen.push(report.addresses!.map(({ address }) => address));
      }
      expect(seen[0]).to.have.length(10).and.to.deep.equal(seen[1]);
      named(a('shop.example', '127.0.0.1'), aaaa('shop.example', '::ffff:127.0.0.1'));
      const report = await run(probes, `http://shop.example:${port}/`, each);
      expect(statuses(report)).to.deep.equal({ '127.0.0.1': 'available' });
    });

    it('of certificates and services are checked in the same way, with the fingerprint of each', async () => {
      const authority = await createAuthority();
      const good = await authority.issue({ names: ['shop.example'] });
      const bad = await authority.issue({ names: ['other.example'] });
      const port = await portOfAll(hosts(1, 2), { tls: good });
      await targets.pop()!.close();
      await serve('127.0.0.2', port, { tls: bad });
      named(a('shop.example', '127.0.0.1'), a('shop.example', '127.0.0.2'));
      const trusting = probesWith({ extraCertificates: [authority.rootPem] });
      const https = await run(trusting, `https://shop.example:${port}/`, each);
      expectDown(https, 'tls', 'certificate_invalid', /^1 of 2 addresses failed: .*127\.0\.0\.2/);
      const signal = new AbortController().signal;
      const ssl = sslCheck.target.parse({ host: 'shop.example', port, incidentDays: 0, ...each });
      const certificates = await trusting.run({ timeoutMs: 5_000, target: ssl }, signal);
      expectDown(certificates, 'tls', 'certificate_invalid', /^1 of 2 addresses failed: /);
      for (const report of [https, certificates]) {
        const fingerprints = report.addresses!.map(({ certificateFingerprint }) => certificateFingerprint);
        expect(new Set(fingerprints).size).to.equal(2);
        expect(fingerprints.every((one) => /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/.test(one!))).to.equal(true);
      }
      for (const protocol of ['tcp', 'udp'] as const) {
        const target = tcpUdpCheck.target.parse({ protocol, host: 'shop.example', port: 1, send: 'x', ...each });
        const report = await trusting.run({ timeoutMs: 5_000, target }, signal);
        expectDown(report, 'connect', 'connection_refused', /^2 of 2 addresses failed: /);
      }
    });

    it('are one where the URL has an address instead of a name', async () => {
      const target = await serve('127.0.0.1');
      expect(statuses(await run(probes, target.url, each))).to.deep.equal({ '127.0.0.1': 'available' });
    });
  });

  describe('of which another one failed on the way', () => {
    it('are warnings of a check that stays healthy', async () => {
      const { port } = await serve('127.0.0.1');
      named(a('shop.example', '127.0.0.1'), aaaa('shop.example', '::1'));
      const report = await run(probes, `http://shop.example:${port}/`);
      expectUp(report);
      expect(report.addressWarnings).to.deep.equal([`The server at [::1]:${port} refused the connection.`]);
    });

    it('are warnings of services and certificates, too', async () => {
      const authority = await createAuthority();
      const { port } = await serve('127.0.0.1', 0, { tls: await authority.issue({ names: ['shop.example'] }) });
      named(a('shop.example', '127.0.0.1'), aaaa('shop.example', '::1'));
      const trusting = probesWith({ extraCertificates: [authority.rootPem] });
      const place = { host: 'shop.example', port };
      for (const target of [
        tcpUdpCheck.target.parse({ protocol: 'tcp', ...place }),
        sslCheck.target.parse({ ...place, incidentDays: 0 }),
      ]) {
        const report = await trusting.run({ timeoutMs: 5_000, target }, new AbortController().signal);
        expect(report.outcome, target.kind).to.deep.equal({ kind: 'up' });
        const refused = [`The server at [::1]:${port} refused the connection.`];
        expect(report.addressWarnings, target.kind).to.deep.equal(refused);
      }
    });

    it('are warnings, too, where they did not answer at all', async () => {
      const deaf = await deafBeside('::1', '127.0.0.1');
      try {
        named(a('shop.example', '127.0.0.1'), aaaa('shop.example', '::1'));
        const report = await run(probes, `http://shop.example:${deaf.port}/`);
        expectUp(report);
        const used = `127.0.0.1:${deaf.port}`;
        expect(report.addressWarnings).to.deep.equal([
          `[::1]:${deaf.port} had not answered when ${used}, which was tried later, did.`,
        ]);
      } finally {
        deaf.stop();
      }
    });

    it('are no warnings where all is well, or where only the agent has no route', async () => {
      const { port } = await serve('127.0.0.1');
      named(a('shop.example', '127.0.0.1'));
      expect(await run(probes, `http://shop.example:${port}/`)).to.not.have.property('addressWarnings');
      named(a('shop.example', '127.0.0.1'), aaaa('shop.example', 'ff0e::1'));
      expect(await run(probes, `http://shop.example:${port}/`)).to.not.have.property('addressWarnings');
    });
  });
});
