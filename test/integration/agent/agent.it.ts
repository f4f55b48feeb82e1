import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { nextScheduledAt } from '@watchpost/agent/schedule/decide-scheduled-time';
import { OUTCOME_CODES } from '@watchpost/shared/outcome';
import { expect } from 'chai';
import { AgentHome } from '../../support/agent-process.js';
import { eventually } from '../../support/eventually.js';
import { httpCheck, ScriptedControlPlane, type ReceivedResult } from '../../support/scripted-control-plane.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';

describe('an agent', function () {
  this.timeout(180_000);
  let plane: ScriptedControlPlane;
  let home: AgentHome;
  let target: Server;
  let url: string;
  let hits = 0;
  let answerMs = 0;

  beforeEach(async () => {
    hits = 0;
    answerMs = 0;
    target = createServer((_, response) => {
      hits++;
      setTimeout(() => response.end('fine'), answerMs);
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    plane = new ScriptedControlPlane();
    await plane.start();
    home = new AgentHome({ CONTROL_PLANE_URL: `http://127.0.0.1:${plane.port}` });
  });
  afterEach(async () => {
    await home.dispose();
    plane.stop();
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
  });

  const received = (count: number, within = 15_000) =>
    eventually(`${count} results`, () => (plane.received.length >= count ? plane.received : undefined), within, 20);
  /** No number with two results, and no slot under two numbers: what comes twice is a replay. */
  const expectOnlyReplays = (results: readonly ReceivedResult[]) => {
    const bySequence = new Map<string, string>();
    const bySlot = new Map<string, number>();
    for (const { spoolId, sequence, result } of results) {
      const slot = `${result.key?.monitorKey}/${result.scheduledAtMs}`;
      expect(bySequence.get(`${spoolId}/${sequence}`) ?? slot).to.equal(slot);
      expect(bySlot.get(slot) ?? sequence).to.equal(sequence);
      bySequence.set(`${spoolId}/${sequence}`, slot);
      bySlot.set(slot, sequence);
    }
  };
  const expectNoGap = (monitorKey: number, from: number, to: number) => {
    const spec = plane.checks.find((one) => Number(one.key!.monitorKey) === monitorKey)!;
    const rule = { intervalMs: spec.intervalMs, phaseMs: spec.phaseMs, changedAtMs: Number(spec.changedAtMs) };
    const expected: number[] = [];
    for (let slot = nextScheduledAt(rule, from); slot <= to; slot = nextScheduledAt(rule, slot)) expected.push(slot);
    expect(
      plane
        .slotsOf(monitorKey)
        .filter((slot) => slot > from && slot <= to)
        .toSorted((a, b) => a - b),
    ).to.deep.equal(expected);
  };

  it('checks what it is given, at its slots, and reports in order', async () => {
    plane.checks = [httpCheck(1, url), httpCheck(2, `${url}two`)];
    const agent = home.start();
    await received(6);
    expect(plane.authorizations).to.deep.equal(new Set(['Bearer wpa_test']));
    expect(plane.hellos[0]).to.deep.include({
      protocolVersion: 1,
      capabilities: ['http', 'ssl', 'dns', 'tcpUdp'],
      lastRevision: 0n,
    });
    expect(plane.revisionAcks).to.deep.equal([1]);
    const sequences = plane.received.map(({ sequence }) => sequence);
    expect(sequences).to.deep.equal(sequences.map((_, index) => sequences[0]! + index));
    for (const { result } of plane.received) {
      expect(result).to.include({ outcome: OUTCOME_CODES.up, statusCode: 200 });
      expect(Number(result.scheduledAtMs) % 1_000).to.equal((Number(result.key!.monitorKey) * 137) % 1_000);
      expect(Number(result.startedAtMs - result.scheduledAtMs)).to.be.within(0, 200);
      expect(result.freshMs).to.equal(2_900);
    }
    expectOnlyReplays(plane.received);
    await eventually('heartbeats', () => plane.heartbeats.at(-1)?.checks === 2 || undefined, 3_000);
    const health = (await (await home.ask(agent, '/health')).json()) as Record<string, unknown>;
    expect(health).to.include({ status: 'ok', region: 'northeurope', connected: true, checks: 2 });
    const metrics = await (await home.ask(agent, '/metrics')).text();
    expect(metrics)
      .to.match(/watchpost_checks_total\{kind="http",outcome="up"\} \d+/)
      .and.match(/watchpost_stream_connected\{stream="results"\} 1/);
  });

  it('checks a monitor at once when it is made or changed, and no more when it is taken away', async () => {
    home.start();
    await eventually('connected', () => plane.revisionAcks.length > 0 || undefined, 10_000, 20);
    const made = Date.now();
    const check = httpCheck(7, url, { intervalMs: 60_000, changedAtMs: BigInt(made) });
    plane.change([check]);
    await received(1);
    expect(Number(plane.received[0]!.result.scheduledAtMs)).to.equal(made);
    expect(Date.now() - made).to.be.lessThan(1_000);
    plane.change([httpCheck(8, url)], [check]);
    await eventually('acknowledged', () => plane.revisionAcks.includes(3) || undefined, 5_000, 20);
    await eventually('the other', () => plane.slotsOf(8).length >= 2 || undefined, 5_000, 20);
    await eventually('a heartbeat', () => plane.heartbeats.at(-1)?.checks === 1 || undefined, 5_000, 20);
  });

  it('runs a one-off test at once and answers it, and spools nothing', async () => {
    home.start();
    await eventually('connected', () => plane.connected || undefined, 10_000, 20);
    plane.runNow({ requestId: 'a', check: httpCheck(0, url) });
    plane.runNow({ requestId: 'late', check: httpCheck(0, url), deadlineMs: BigInt(Date.now() - 1) });
    await eventually('answers', () => plane.runResults.length === 2 || undefined, 5_000, 20);
    const byId = new Map(plane.runResults.map((answer) => [answer.requestId, answer]));
    expect(byId.get('a')?.result).to.include({ outcome: OUTCOME_CODES.up, statusCode: 200 });
    expect(byId.get('late')?.refusal).to.match(/deadline/);
    expect(plane.received).to.have.length(0);
  });

  it('loses nothing and repeats nothing when it is killed in the middle of checks and started again', async () => {
    answerMs = 150;
    plane.checks = Array.from({ length: 20 }, (_, index) => httpCheck(index + 1, `${url}${index}`));
    let agent = home.start();
    await received(30);
    const from = Date.now();
    for (let kill = 0; kill < 3; kill++) {
      plane.holdAcks = kill === 1;
      await received(plane.received.length + 5);
      agent.kill('SIGKILL');
      await agent.ended(5_000);
      plane.holdAcks = false;
      agent = home.start();
      const before = plane.received.length;
      await received(before + 60, 30_000);
    }
    const to = Date.now();
    await eventually(
      'what it made up for, and what fell due meanwhile',
      () =>
        plane.checks.every(({ key }) => plane.slotsOf(Number(key!.monitorKey)).some((slot) => slot > to)) || undefined,
      30_000,
      50,
    );
    agent.kill('SIGTERM');
    expect((await agent.ended(20_000)).code).to.equal(0);
    for (const check of plane.checks) expectNoGap(Number(check.key!.monitorKey), from, to);
    expectOnlyReplays(plane.received);
    expect(plane.hellos.at(-1)!.lastRevision).to.equal(1n);
  });

  it('goes on checking through a cut and a restart without its control plane, and replays everything in order', async () => {
    const proxy = await startTcpProxy(plane.port);
    try {
      const through = { CONTROL_PLANE_URL: `http://127.0.0.1:${proxy.port}` };
      plane.checks = [httpCheck(1, url), httpCheck(2, url)];
      let agent = home.start(through);
      await received(4);
      const from = Date.now();
      proxy.cut();
      const atCut = hits;
      await eventually('checks go on', () => hits >= atCut + 6 || undefined, 10_000, 20);
      agent.kill('SIGKILL');
      await agent.ended(5_000);
      agent = home.start(through);
      await eventually('checks go on', () => hits >= atCut + 14 || undefined, 30_000, 20);
      proxy.restore();
      const back = Date.now();
      await eventually('all is there', () => plane.slotsOf(1).some((slot) => slot > back) || undefined, 20_000, 20);
      for (const monitor of [1, 2]) expectNoGap(monitor, from, back);
      expectOnlyReplays(plane.received);
      const order = plane.received.map(({ sequence }) => sequence);
      expect([...new Set(order)]).to.deep.equal([...new Set(order)].toSorted((a, b) => a - b));
    } finally {
      await proxy.stop();
    }
  });

  it('drains in peace: lets running checks finish, sends everything, says goodbye, ends with 0', async () => {
    answerMs = 500;
    plane.checks = [httpCheck(1, url), httpCheck(2, url), httpCheck(3, url)];
    const agent = home.start();
    await received(3);
    plane.holdAcks = true;
    await eventually('a check is under way', () => hits > plane.received.length || undefined, 5_000, 5);
    agent.kill('SIGTERM');
    await eventually('drain has begun', () => agent.output().includes('agent stops') || undefined, 5_000, 10);
    plane.holdAcks = false;
    plane.end(status.UNAVAILABLE, 'let the agent send again');
    const { code } = await agent.ended(20_000);
    expect(code).to.equal(0);
    await eventually('no stream is left', () => !plane.connected || undefined, 2_000);
    expect(plane.received.every(({ result }) => result.outcome === OUTCOME_CODES.up)).to.equal(true);
  });

  it('stops for good when its token is revoked, and checks nothing after its next start either', async () => {
    plane.checks = [httpCheck(1, url)];
    const agent = home.start();
    await received(2);
    plane.refusal = { code: status.PERMISSION_DENIED, details: 'this agent was revoked' };
    plane.end(status.PERMISSION_DENIED, 'this agent was revoked');
    expect((await agent.ended(10_000)).code).to.equal(78);
    expect(agent.output()).to.match(/revoked/);
    const before = hits;
    const again = home.start();
    expect((await again.ended(10_000)).code).to.equal(78);
    expect(hits).to.equal(before);
  });

  it('says all that is wrong with its environment, with exit code 78, and shares its folder with nobody', async () => {
    const broken = home.start({ CONTROL_PLANE_URL: 'http://example.org', AGENT_TOKEN: '', METRICS_PORT: 'x' });
    expect((await broken.ended(10_000)).code).to.equal(78);
    expect(broken.output())
      .to.match(/CONTROL_PLANE_URL/)
      .and.match(/AGENT_TOKEN/)
      .and.match(/METRICS_PORT/);
    home.start();
    await eventually('connected', () => plane.connected || undefined, 10_000, 20);
    const second = home.start();
    expect((await second.ended(10_000)).code).to.equal(1);
    expect(second.output()).to.match(/in use by the agent with process id/);
  });

  it('goes by the clock of the control plane when its own is a minute off', async () => {
    plane.clockOffsetMs = 60_000;
    plane.checks = [httpCheck(1, url)];
    home.start();
    const [first] = await received(1);
    expect(Number(first!.result.startedAtMs) - first!.atMs).to.be.within(59_000, 61_000);
    expect(Number(first!.result.scheduledAtMs) - first!.atMs).to.be.within(58_000, 60_500);
  });

  for (const named of [true, false]) {
    it(`leaves out a result that can never be accepted, and delivers all others, where the refusal ${named ? 'names it' : 'does not name it'}`, async () => {
      plane.checks = [httpCheck(1, url), httpCheck(2, url)];
      plane.namesRefused = named;
      let refused: bigint | undefined;
      plane.isUnacceptable = (result) => {
        if (plane.received.length >= 3) refused ??= result.scheduledAtMs * 10n + result.key!.monitorKey;
        return result.scheduledAtMs * 10n + result.key!.monitorKey === refused;
      };
      home.start();
      const all = await received(9, 20_000);
      const sequences = all.map(({ sequence }) => sequence);
      expect(new Set(sequences).size).to.equal(Math.max(...sequences) - Math.min(...sequences));
    });
  }

  it('notices a peer that is gone without a word, and delivers what was checked meanwhile', async () => {
    const pairs: [Socket, Socket][] = [];
    const relay = createTcpServer((client) => {
      const upstream = connect(plane.port, '127.0.0.1');
      for (const socket of [client, upstream]) socket.on('error', () => {});
      client.pipe(upstream).pipe(client);
      pairs.push([client, upstream]);
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    try {
      plane.checks = [httpCheck(1, url)];
      home.start({ CONTROL_PLANE_URL: `http://127.0.0.1:${(relay.address() as AddressInfo).port}` });
      await received(2);
      const from = Date.now() - 1_000;
      for (const [client, upstream] of pairs) client.unpipe(upstream).resume();
      for (const [client, upstream] of pairs) upstream.unpipe(client).resume();
      await eventually('a second hello', () => plane.hellos.length >= 2 || undefined, 22_000);
      const back = Date.now();
      await eventually('all is there', () => plane.slotsOf(1).some((slot) => slot > back) || undefined, 10_000);
      expectNoGap(1, from, back);
      expectOnlyReplays(plane.received);
    } finally {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      relay.close();
    }
  });

  it('keeps on with a full disk, sends from memory, and says so', async function () {
    const small = mkdtempSync(join(tmpdir(), 'watchpost-small-'));
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]).status !== 0) {
      rmSync(small, { recursive: true });
      this.skip(); // only root may mount
    }
    const full = new AgentHome({ CONTROL_PLANE_URL: `http://127.0.0.1:${plane.port}` }, join(small, 'agent'));
    try {
      plane.checks = Array.from({ length: 15 }, (_, index) => httpCheck(index + 1, url));
      const agent = full.start();
      await received(4);
      const from = Date.now();
      const filler = join(small, 'filler');
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1k']);
      await eventually('it says so', () => agent.output().includes('the disk takes no results') || undefined, 30_000);
      const then = Date.now();
      await eventually(
        'results go on',
        () => plane.slotsOf(1).some((slot) => slot > then + 2_000) || undefined,
        10_000,
      );
      expect(await (await full.ask(agent, '/metrics')).text()).to.match(/watchpost_spool_disk_failures_total [1-9]/);
      rmSync(filler);
      await eventually(
        'the disk is used again',
        () => agent.output().includes('the disk takes results again') || undefined,
        15_000,
      );
      const to = Date.now();
      await eventually('all is there', () => plane.slotsOf(1).some((slot) => slot > to) || undefined, 10_000);
      for (const monitor of [1, 2]) expectNoGap(monitor, from, to);
      agent.kill('SIGTERM');
      expect((await agent.ended(20_000)).code).to.equal(0);
    } finally {
      await full.dispose();
      spawnSync('umount', [small]);
      rmSync(small, { recursive: true, force: true });
    }
  });

  it('goes elsewhere when it is asked to, and nothing is lost on the way', async () => {
    plane.checks = [httpCheck(1, url)];
    home.start();
    await received(2);
    const from = Date.now();
    plane.send({ $case: 'drain', value: { reason: 'this process stops' } });
    await eventually('a second hello', () => plane.hellos.length === 2 || undefined, 5_000, 20);
    await eventually(
      'results again',
      () => plane.slotsOf(1).some((slot) => slot > from + 2_000) || undefined,
      10_000,
      20,
    );
    expectNoGap(1, from - 1_000, from + 2_000);
    expectOnlyReplays(plane.received);
  });
});
