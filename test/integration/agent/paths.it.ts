import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { whyNoNamespaces } from '../../support/network-namespaces.js';
import { canTrace, runTrace } from '@watchpost/agent/paths/run-trace';
import type { PathHop } from '@watchpost/shared/outcome';

const never = new AbortController().signal;
const addressesOf = (hops: readonly PathHop[] | undefined) => hops?.map(({ address }) => address);

describe('a trace', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trace-'));
  after(() => rmSync(folder, { recursive: true }));
  let made = 0;
  /** A program in the place of traceroute. */
  const standIn = (script: string): string => {
    const path = join(folder, `traceroute-${made++}`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };

  it('passes numbers and an address alone, and no variables', async () => {
    const program = standIn(`printf "%s " "$@" > ${folder}/arguments; env > ${folder}/variables`);
    expect(await runTrace(program, '192.0.2.9', 443, never)).to.deep.equal({ reached: false, hops: [] });
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).to.equal('-n -T -p 443 -q 3 -m 30 -w 2 192.0.2.9 ');
    expect(readFileSync(join(folder, 'variables'), 'utf8'))
      .to.match(/LC_ALL=C/)
      .and.not.match(/HOME|NODE|npm/);
  });

  it('ends at its limit with the hops until then, and at the end of the agent with none', async () => {
    const slow = standIn(`echo ' 1  10.0.0.1  1.5 ms  1.0 ms  2.0 ms'; exec sleep 600`);
    const found = await runTrace(slow, '192.0.2.9', 443, never, 1_000);
    expect(addressesOf(found?.hops)).to.deep.equal(['10.0.0.1']);
    const stop = new AbortController();
    const stopped = runTrace(slow, '192.0.2.9', 443, stop.signal);
    stop.abort();
    expect(await stopped).to.equal(null);
  });

  it('is none where the program is missing, fails, or writes without end', async () => {
    expect(await runTrace(join(folder, 'missing'), '192.0.2.9', 443, never)).to.equal(null);
    expect(await runTrace(standIn('exit 2'), '192.0.2.9', 443, never)).to.equal(null);
    expect((await runTrace(standIn('exec yes'), '192.0.2.9', 443, never))?.hops ?? []).to.deep.equal([]);
    expect(await canTrace(join(folder, 'missing'))).to.equal(false);
    expect(await canTrace(standIn(`echo ' 1  10.0.0.1  1.5 ms'`))).to.equal(false);
  });

  describe('through three routers (needs traceroute, and the right to make network namespaces)', () => {
    const name = (host: string) => `wp${process.pid}-${host}`;
    const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });
    const inside = (host: string, ...args: string[]) => ip('netns', 'exec', name(host), ...args);
    const HOSTS = ['agent', 'near', 'middle', 'far', 'site'];
    let program: string;

    before(async function () {
      if (whyNoNamespaces() !== null || !(await canTrace('traceroute'))) this.skip();
      program = standIn(`exec ip netns exec ${name('agent')} traceroute "$@"`);
      for (const host of HOSTS) ip('netns', 'add', name(host));
      for (const host of HOSTS) inside(host, 'sysctl', '-wq', 'net.ipv6.conf.default.accept_dad=0');
      for (const [index, host] of HOSTS.slice(1).entries()) {
        const before = HOSTS[index]!;
        const [left, right] = [`l${index}`, `r${index}`];
        ip('link', 'add', left, 'netns', name(before), 'type', 'veth', 'peer', 'name', right, 'netns', name(host));
        for (const [space, device, last] of [
          [before, left, 1],
          [host, right, 2],
        ] as const) {
          inside(space, 'ip', 'address', 'add', `10.9.${index}.${last}/24`, 'dev', device);
          inside(space, 'ip', 'address', 'add', `fd00:${index}::${last}/64`, 'dev', device, 'nodad');
          inside(space, 'ip', 'link', 'set', device, 'up');
        }
      }
      for (const [index, host] of HOSTS.entries()) {
        inside(host, 'sysctl', '-wq', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1');
        // Routers report as often as they are asked.
        inside(host, 'sysctl', '-wq', 'net.ipv4.icmp_ratelimit=0', 'net.ipv6.icmp.ratelimit=0');
        if (index < 3) inside(host, 'ip', 'route', 'add', '10.9.3.0/24', 'via', `10.9.${index}.2`);
        if (index < 3) inside(host, 'ip', '-6', 'route', 'add', 'fd00:3::/64', 'via', `fd00:${index}::2`);
        if (index > 1) inside(host, 'ip', 'route', 'add', '10.9.0.0/24', 'via', `10.9.${index - 1}.1`);
        if (index > 1) inside(host, 'ip', '-6', 'route', 'add', 'fd00:0::/64', 'via', `fd00:${index - 1}::1`);
      }
    });
    after(() => HOSTS.forEach((host) => spawnSync('ip', ['netns', 'delete', name(host)])));

    const trace = (address: string) => runTrace(program, address, 443, never);

    it('reaches an address that refuses the connection', async () => {
      const found = await trace('10.9.3.2');
      expect(found?.reached).to.equal(true);
      expect(addressesOf(found?.hops)).to.deep.equal(['10.9.0.2', '10.9.1.2', '10.9.2.2', '10.9.3.2']);
      expect(found!.hops.map(({ loss }) => loss)).to.deep.equal([null, null, null, 0]);
      expect(addressesOf((await trace('fd00:3::2'))?.hops)).to.deep.equal(
        ['', ':1', ':2', ':3'].map((net) => `fd00${net}::2`),
      );
    });

    it('ends at the last router before one that drops everything', async () => {
      inside('middle', 'ip', 'route', 'add', 'blackhole', '10.9.3.2/32');
      const found = await trace('10.9.3.2');
      inside('middle', 'ip', 'route', 'delete', 'blackhole', '10.9.3.2/32');
      expect(found?.reached).to.equal(false);
      expect(addressesOf(found?.hops)).to.deep.equal(['10.9.0.2']);
    });

    it('ends at a router that refuses to forward, and passes over one that is silent', async () => {
      inside('middle', 'ip', 'route', 'add', 'prohibit', '10.9.3.2/32');
      const refused = await trace('10.9.3.2');
      inside('middle', 'ip', 'route', 'delete', 'prohibit', '10.9.3.2/32');
      expect([refused?.reached, addressesOf(refused?.hops)]).to.deep.equal([false, ['10.9.0.2', '10.9.1.2']]);
      inside('near', 'sysctl', '-wq', 'net.ipv4.icmp_ratelimit=1000000', 'net.ipv4.icmp_ratemask=2048');
      const passed = await trace('10.9.3.2');
      expect(addressesOf(passed?.hops)).to.deep.equal([null, '10.9.1.2', '10.9.2.2', '10.9.3.2']);
      expect(passed?.hops[0]).to.deep.equal({ ttl: 1, address: null, name: null, rttMs: null, loss: null });
    });
  });
});
