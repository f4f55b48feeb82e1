import { expect } from 'chai';
import type { CheckSpec } from '@watchpost/shared/check';
import { tcpUdpCheck } from '@watchpost/shared/checks/tcp-udp';
import type { CheckResult, Outcome } from '@watchpost/shared/outcome';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { Paths } from './paths.js';
import type { Trace } from './read-trace.js';

const UP: Outcome = { kind: 'up' };
const down = (phase: 'connect' | 'tls' | 'content'): Outcome => ({
  kind: 'down',
  phase,
  reason: 'timeout',
  message: 'No.',
});
const GOOD: Trace = { reached: true, hops: [hop(1, '10.0.0.1', null), hop(2, '192.0.2.9', 0)] };
const STOPPED: Trace = { reached: false, hops: [hop(1, '10.0.0.1', null)] };

function hop(ttl: number, address: string, loss: number | null) {
  return { ttl, address, name: null, rttMs: 1, loss };
}

function check(monitorKey: number, ownerKey = 'ann'): CheckSpec {
  const target = tcpUdpCheck.target.parse({ protocol: 'tcp', host: 'a.test', port: 443 });
  const key = { monitorKey, kind: 'tcpUdp' as const };
  return { key, ownerKey, intervalMs: 60_000, timeoutMs: 1_000, phaseMs: 0, changedAtMs: 0, target };
}

/** Traces that end when they are let go on, with what the test states. */
function setUp({ allows = (_address: string): boolean => true } = {}) {
  const open: { address: string; end(trace: Trace | null): void }[] = [];
  const reported: CheckResult[] = [];
  const outcomes: string[] = [];
  const clock = { ms: Date.UTC(2026, 10, 29) };
  const paths = new Paths({
    trace: (address, port) => new Promise((end) => open.push({ address: `${address} ${port}`, end })),
    nameOf: (address) => Promise.resolve(`name-of-${address}`),
    egress: { monitor: { allows }, public: { allows } },
    report: (_, result) => reported.push(result),
    onTrace: (outcome) => outcomes.push(outcome),
    now: () => clock.ms,
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const consider = async (spec: CheckSpec, outcome: Outcome, more: Partial<CheckResult> = {}) => {
    const timings = { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 };
    const place = { address: '192.0.2.9:443', statusCode: null, evidence: null };
    const times = { startedAtMs: 0, scheduledAtMs: 0, totalUs: 0, freshMs: 0, loopLagUs: 0, timings };
    paths.consider(spec, { key: spec.key, outcome, ...place, ...times, ...more });
    await settle();
  };
  const end = async (trace: Trace | null) => {
    open.shift()!.end(trace);
    await settle();
  };
  return { paths, open, reported, outcomes, clock, consider, end };
}

describe('the paths to addresses', () => {
  it('are traced at the first failure to connect, and compared with the last good one', async () => {
    const { open, reported, outcomes, clock, consider, end } = setUp();
    await consider(check(1), UP);
    expect(open.map(({ address }) => address)).to.deep.equal(['192.0.2.9 443']);
    await end(GOOD);
    expect(reported, 'a good path is no evidence').to.deep.equal([]);
    clock.ms += MINUTE_MS;
    await consider(check(1), down('connect'), { evidence: { resolved: ['192.0.2.9'] } });
    await end(STOPPED);
    const named = (ttl: number, address: string, loss: number | null) => ({
      ...hop(ttl, address, loss),
      name: `name-of-${address}`,
    });
    expect(reported[0]!.evidence).to.deep.equal({
      resolved: ['192.0.2.9'],
      path: {
        address: '192.0.2.9:443',
        tracedAt: '2026-11-29T00:01:00.000Z',
        reached: false,
        hops: [named(1, '10.0.0.1', null)],
        stoppedAt: 1,
        lastGood: {
          tracedAt: '2026-11-29T00:00:00.000Z',
          hops: [named(1, '10.0.0.1', null), named(2, '192.0.2.9', 0)],
        },
      },
    });
    await consider(check(1), down('connect'));
    expect(open, 'at the first failure alone').to.deep.equal([]);
    expect(outcomes).to.deep.equal(['reached', 'stopped']);
  });

  it('are traced after a recovery again, and of other failures never', async () => {
    const { open, clock, consider, end } = setUp();
    await consider(check(1), down('content'));
    await consider(check(1), { kind: 'inconclusive', reason: 'agent_late', message: 'Late.' });
    expect(open).to.deep.equal([]);
    await consider(check(1), down('tls'));
    await end(STOPPED);
    await consider(check(1), UP);
    await end(GOOD);
    clock.ms += 10 * MINUTE_MS;
    await consider(check(1), down('connect'));
    expect(open).to.have.lengthOf(1);
  });

  it('are traced once in ten minutes for all checks of an address', async () => {
    const { open, reported, clock, consider, end } = setUp();
    await consider(check(1), down('connect'));
    await consider(check(2, 'bob'), down('connect'));
    expect(open).to.have.lengthOf(1);
    await end(STOPPED);
    expect(reported.map(({ key }) => key.monitorKey)).to.deep.equal([1, 2]);
    clock.ms += 10 * MINUTE_MS - 1;
    await consider(check(3), down('connect'));
    expect([open.length, reported.length]).to.deep.equal([0, 3]);
    clock.ms += 1;
    await consider(check(4), down('connect'));
    expect(open).to.have.lengthOf(1);
  });

  it('are compared with one of the last day, while no other trace runs', async () => {
    const { open, clock, consider, end } = setUp();
    await consider(check(1), UP);
    await consider(check(2), UP, { address: '[2001:db8::1]:443' });
    expect(
      open.map(({ address }) => address),
      'one at a time',
    ).to.deep.equal(['192.0.2.9 443']);
    await end(GOOD);
    await consider(check(2), UP, { address: '[2001:db8::1]:443' });
    expect(open.map(({ address }) => address)).to.deep.equal(['2001:db8::1 443']);
    await end(STOPPED);
    clock.ms += DAY_MS - 1;
    await consider(check(1), UP);
    expect(open).to.deep.equal([]);
    clock.ms += 1;
    await consider(check(1), UP);
    expect(open).to.have.lengthOf(1);
  });

  it('go to the address that was tried first, and only where the policy allows it', async () => {
    const { open, reported, consider } = setUp({ allows: (address) => address !== '10.0.0.9' });
    await consider(check(1), down('connect'), { address: null, tried: '192.0.2.7:443' });
    await consider(check(2), down('connect'), { address: '10.0.0.9:443' });
    await consider(check(3), down('connect'), { address: null });
    expect(open.map(({ address }) => address)).to.deep.equal(['192.0.2.7 443']);
    expect(reported).to.deep.equal([]);
  });

  it('are shared by owners: a mass failure of one leaves room for another', async () => {
    const { paths, open, outcomes, consider, end } = setUp();
    for (let host = 0; host < 100; host++)
      await consider(check(host + 1, 'crowd'), down('connect'), { address: `192.0.2.${host}:443` });
    expect([open.length, paths.waiting]).to.deep.equal([2, 30]);
    expect(outcomes.filter((outcome) => outcome === 'skipped')).to.have.lengthOf(68);
    await consider(check(1_000, 'victim'), down('connect'), { address: '198.51.100.1:443' });
    expect(open.at(-1)!.address).to.equal('198.51.100.1 443');
    await end(STOPPED);
    expect(open).to.have.lengthOf(3);
  });

  it('are nothing where the program fails, or the agent stops', async () => {
    const { paths, reported, outcomes, consider, end } = setUp();
    await consider(check(1), down('connect'));
    await end(null);
    await consider(check(2), down('connect'), { address: '192.0.2.2:443' });
    paths.close();
    await end(STOPPED);
    await consider(check(3), down('connect'), { address: '192.0.2.3:443' });
    expect(reported).to.deep.equal([]);
    expect(outcomes).to.deep.equal(['failed', 'stopped']);
  });
});
