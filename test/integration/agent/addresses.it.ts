import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Answer } from 'dns-packet';
import { SystemNames } from '@watchpost/shared/names/system-names';
import { createEgressPolicy } from '@watchpost/shared/egress';
import type { Probes } from '@watchpost/agent/probes/index';
import { records, startNameServer, type NameBehaviour, type NameServer } from '../../support/name-server.js';
import { answer, redirectTo } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes } from '../probes/probe-check.js';

const a = (name: string, data: string): Answer => ({ type: 'A', name, ttl: 300, data });
const aaaa = (name: string, data: string): Answer => ({ type: 'AAAA', name, ttl: 300, data });

describe('the addresses of a check', () => {
  let folder: string;
  let server: NameServer;
  let probes: Probes;
  const targets: Target[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'watchpost-addresses-'));
    server = await startNameServer({ behaviour: records([]) });
    writeFileSync(join(folder, 'resolv.conf'), `nameserver [${server.host}]:${server.port}\n`);
    writeFileSync(join(folder, 'hosts'), '127.0.0.1 written.example\n');
    const names = new SystemNames({ resolvConf: join(folder, 'resolv.conf'), hosts: join(folder, 'hosts') });
    // Link-local addresses are allowed: without a zone, the kernel has no route to one.
    const monitorEgress = createEgressPolicy({ allowCidrs: ['127.0.0.0/8', '::1/128', 'fe80::/10'] });
    probes = testProbes({ names, monitorEgress });
  });
  afterEach(() => Promise.all(targets.splice(0).map((target) => target.close())));
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const named = (...list: Answer[]) => server.behave(records(list));
  const serve = async (host: string, port = 0, options: Partial<Parameters<typeof startTarget>[0]> = {}) => {
    const target = await startTarget({ behaviour: answer(), host, ...(port === 0 ? {} : { port }), ...options });
    targets.push(target);
    return target;
  };
  /** Of both families on one port; one that is free in one can be taken in the other. */
  const serveBoth = async (): Promise<Target> => {
    for (;;) {
      const v4 = await serve('127.0.0.1');
      if (await serve('::1', v4.port).catch(() => null)) return v4;
    }
  };

  it('are of one family where the monitor says so, of which alone the resolver is asked', async () => {
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

  it('of a family about which the name servers fail are not said to be missing', async () => {
    const broken: NameBehaviour = ({ question }) =>
      question.type === 'AAAA' ? { rcode: 'SERVFAIL' } : { answers: [a('shop.example', '127.0.0.1')] };
    server.behave(broken);
    expectDown(await run(probes, 'http://shop.example/', { addresses: 'ipv6' }), 'dns', 'dns_failure', /SERVFAIL/);
  });

  it('to which the agent has no route leave the check inconclusive', async () => {
    named(a('shop.example', '127.0.0.1'), aaaa('shop.example', 'fe80::1'));
    const { outcome } = await run(probes, 'http://shop.example/', { addresses: 'ipv6' });
    expect(outcome).to.include({ kind: 'inconclusive', reason: 'agent_no_network' });
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
});
