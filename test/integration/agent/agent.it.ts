import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { CATCH_UP_MS, nextScheduledAt } from '@watchpost/agent/schedule/decide-scheduled-time';
import { CHECK_KINDS } from '@watchpost/shared/check';
import { OUTCOME_CODES } from '@watchpost/shared/outcome';
import { canTrace } from '@watchpost/agent/paths/run-trace';
import { decodeEvidence } from '@watchpost/shared/wire/decode-evidence';
import { expect } from 'chai';
import { AgentHome } from '../../support/agent-process.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { httpCheck, ScriptedControlPlane, type ReceivedResult } from '../../support/scripted-control-plane.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';

/** An agent that is killed, until the first result of the next one. */
interface Outage {
  killedMs: number;
  backMs: number;
}

describe('an agent', function () {
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

  const received = (count: number) =>
    eventually(
      `${count} results`,
      () => (plane.received.length >= count ? plane.received : undefined),
      PATIENCE_MS,
      20,
    );
  /** No number has two results and no scheduled time has two numbers: a duplicate is a replay. */
  const expectOnlyReplays = (results: readonly ReceivedResult[]) => {
    const bySequence = new Map<string, string>();
    const byTime = new Map<string, number>();
    for (const { spoolId, sequence, result } of results) {
      const time = `${result.key?.monitorKey}/${result.scheduledAtMs}`;
      expect(bySequence.get(`${spoolId}/${sequence}`) ?? time).to.equal(time);
      expect(byTime.get(time) ?? sequence).to.equal(sequence);
      bySequence.set(`${spoolId}/${sequence}`, time);
      byTime.set(time, sequence);
    }
  };
  /** @param outages a time that was missed since the first is not run any more once it is older than what agents catch up on */
  const expectNoGap = (monitorKey: number, from: number, to: number, outages: readonly Outage[] = []) => {
    const ranBefore = plane.received.filter(
      ({ result }) => Number(result.key?.monitorKey) === monitorKey && result.startedAtMs < (outages[0]?.killedMs ?? 0),
    );
    const ranThrough = Math.max(...ranBefore.map(({ result }) => Number(result.scheduledAtMs)));
    const isTooOld = (time: number): boolean =>
      outages.some(({ backMs }) => time > ranThrough && time < backMs - CATCH_UP_MS);
    const spec = plane.checks.find((one) => Number(one.key!.monitorKey) === monitorKey)!;
    const rule = { intervalMs: spec.intervalMs, phaseMs: spec.phaseMs, changedAtMs: Number(spec.changedAtMs) };
    const expected: number[] = [];
    for (let time = nextScheduledAt(rule, from); time <= to; time = nextScheduledAt(rule, time)) expected.push(time);
    expect(
      plane
        .scheduledTimesOf(monitorKey)
        .filter((time) => time > from && time <= to && !isTooOld(time))
        .toSorted((a, b) => a - b),
    ).to.deep.equal(expected.filter((time) => !isTooOld(time)));
  };

  it('reports a check as unsupported whose kind or settings only a newer version knows', async () => {
    plane.checks = [
      httpCheck(1, url),
      httpCheck(2, url, { key: { monitorKey: 2n, kind: 29 } }),
      httpCheck(3, url, { target: JSON.stringify({ url, retries: 2 }) }),
    ];
    home.start();
    const isReported = (monitorKey: number) => plane.scheduledTimesOf(monitorKey).length > 0;
    await eventually('a result of each', () => [1, 2, 3].every(isReported) || undefined, PATIENCE_MS, 20);
    for (const { result } of plane.received) {
      const isKnown = result.key!.monitorKey === 1n;
      expect(result).to.include(
        isKnown ? { outcome: OUTCOME_CODES.up } : { outcome: OUTCOME_CODES.inconclusive, reason: 'unsupported' },
      );
      expect(result.key!.kind).to.equal(result.key!.monitorKey === 2n ? 29 : 1);
    }
  });

  it('reports a failure to connect again, with the path to the address, where the machine can trace', async function () {
    if (!(await canTrace('traceroute'))) this.skip();
    plane.checks = [httpCheck(1, 'http://127.0.0.1:1/')];
    const agent = home.start();
    const evidenceOf = ({ result }: ReceivedResult) => decodeEvidence(result.evidence);
    const traced = await eventually(
      'a path',
      () => plane.received.find((one) => evidenceOf(one)?.path),
      PATIENCE_MS,
      20,
    );
    const { path } = evidenceOf(traced)!;
    expect(path).to.deep.include({ address: '127.0.0.1:1', reached: true, stoppedAt: null, lastGood: null });
    expect(path?.hops.map(({ ttl, address, loss }) => ({ ttl, address, loss }))).to.deep.equal([
      { ttl: 1, address: '127.0.0.1', loss: 0 },
    ]);
    const first = plane.received.find(({ result }) => result.scheduledAtMs === traced.result.scheduledAtMs)!;
    expect(evidenceOf(first)?.path, 'it did not wait for the path').to.equal(undefined);
    const metrics = await (await home.ask(agent, '/metrics')).text();
    expect(metrics)
      .to.match(/watchpost_agent_traces 1/)
      .and.match(/watchpost_traces_total\{outcome="reached"\} 1/);
  });

  it('runs its checks at their scheduled times and reports the results in order', async () => {
    plane.checks = [httpCheck(1, url), httpCheck(2, `${url}two`)];
    const agent = home.start();
    await received(6);
    expect(plane.authorizations).to.deep.equal(new Set(['Bearer wpa_test']));
    const { capabilities, ...hello } = plane.hellos[0]!;
    const beside = (kinds: readonly string[]) => kinds.filter((kind) => kind !== 'ping');
    expect(beside(capabilities), 'only some machines can ping').to.deep.equal(beside(CHECK_KINDS));
    expect(hello).to.deep.include({
      protocolVersion: 1,
      lastRevision: 0n,
    });
    expect(plane.revisionAcks).to.deep.equal([1]);
    const sequences = plane.received.map(({ sequence }) => sequence);
    expect(sequences).to.deep.equal(sequences.map((_, index) => sequences[0]! + index));
    for (const { result } of plane.received) {
      expect(result).to.include({ outcome: OUTCOME_CODES.up, statusCode: 200 });
      expect(Number(result.scheduledAtMs) % 1_000).to.equal((Number(result.key!.monitorKey) * 137) % 1_000);
      expect(Number(result.startedAtMs - result.scheduledAtMs)).to.be.at.least(0);
      expect(result.freshMs).to.equal(2_900);
    }
    expectOnlyReplays(plane.received);
    await eventually('heartbeats', () => plane.heartbeats.at(-1)?.checks === 2 || undefined);
    const health = (await (await home.ask(agent, '/health')).json()) as Record<string, unknown>;
    expect(health).to.include({ status: 'ok', region: 'northeurope', connected: true, checks: 2 });
    const metrics = await (await home.ask(agent, '/metrics')).text();
    expect(metrics)
      .to.match(/watchpost_checks_total\{kind="http",outcome="up"\} \d+/)
      .and.match(/watchpost_stream_connected\{stream="results"\} 1/)
      .and.match(/watchpost_build_info\{version="\d[^"]*",commit="[0-9a-f]*",node="\d[^"]*"\} 1/);
  });

  it('checks a new or changed monitor at once, and stops when the check is removed', async () => {
    home.start();
    await eventually('connected', () => plane.revisionAcks.length > 0 || undefined, PATIENCE_MS, 20);
    const made = Date.now();
    const check = httpCheck(7, url, { intervalMs: 60_000, changedAtMs: BigInt(made) });
    plane.change([check]);
    await received(1);
    expect(Number(plane.received[0]!.result.scheduledAtMs)).to.equal(made);
    plane.change([httpCheck(8, url)], [check]);
    await eventually('acknowledged', () => plane.revisionAcks.includes(3) || undefined, PATIENCE_MS, 20);
    await eventually('the other', () => plane.scheduledTimesOf(8).length >= 2 || undefined, PATIENCE_MS, 20);
    await eventually('a heartbeat', () => plane.heartbeats.at(-1)?.checks === 1 || undefined, PATIENCE_MS, 20);
  });

  it('runs a one-off test at once, answers it, and spools nothing', async () => {
    home.start();
    await eventually('connected', () => plane.connected || undefined, PATIENCE_MS, 20);
    plane.runNow({ requestId: 'a', check: httpCheck(0, url) });
    plane.runNow({ requestId: 'late', check: httpCheck(0, url), deadlineMs: BigInt(Date.now() - 1) });
    await eventually('answers', () => plane.runResults.length === 2 || undefined, PATIENCE_MS, 20);
    const byId = new Map(plane.runResults.map((answer) => [answer.requestId, answer]));
    expect(byId.get('a')?.result).to.include({ outcome: OUTCOME_CODES.up, statusCode: 200 });
    expect(byId.get('late')?.refusal).to.match(/deadline/);
    expect(plane.received).to.have.length(0);
  });

  it('skips and repeats no scheduled time when it is killed during checks and restarted', async () => {
    answerMs = 150;
    plane.checks = Array.from({ length: 20 }, (_, index) => httpCheck(index + 1, `${url}${index}`));
    let agent = home.start();
    await received(30);
    const from = Date.now();
    const outages: Outage[] = [];
    for (let kill = 0; kill < 3; kill++) {
      plane.holdAcks = kill === 1;
      await received(plane.received.length + 5);
      const killedMs = Date.now();
      agent.kill('SIGKILL');
      await agent.ended();
      plane.holdAcks = false;
      agent = home.start();
      const before = plane.received.length;
      await received(before + 1);
      outages.push({ killedMs, backMs: Date.now() });
      await received(before + 60);
    }
    const to = Date.now();
    await eventually(
      'it has caught up',
      () =>
        plane.checks.every(({ key }) => plane.scheduledTimesOf(Number(key!.monitorKey)).some((time) => time > to)) ||
        undefined,
      PATIENCE_MS,
      50,
    );
    agent.kill('SIGTERM');
    expect((await agent.ended()).code).to.equal(0);
    for (const check of plane.checks) expectNoGap(Number(check.key!.monitorKey), from, to, outages);
    expectOnlyReplays(plane.received);
    expect(plane.hellos.at(-1)!.lastRevision).to.equal(1n);
  });

  it('sends nothing again of a run that can change something when it is killed between two of its requests', async () => {
    const seen: string[] = [];
    let isHolding = true;
    target.removeAllListeners('request').on('request', ({ method, url: path }, response) => {
      seen.push(`${method} ${path}`);
      if (path !== '/hold' || !isHolding) response.end('fine');
    });
    const step = (name: string, method: string, more: object = {}) => ({ name, url: `${url}${name}`, method, ...more });
    const steps = [step('order', 'POST'), step('hold', 'GET'), step('undo', 'DELETE', { always: true })];
    const json = JSON.stringify({ url, steps });
    plane.checks = [httpCheck(1, url, { intervalMs: 20_000, timeoutMs: 15_000, phaseMs: 0, target: json })];
    plane.checks[0]!.phaseMs = (Date.now() + 3_000) % 20_000;
    const killed = home.start();
    await eventually('the run has placed its order', () => seen.includes('GET /hold') || undefined, PATIENCE_MS, 5);
    const killedMs = Date.now();
    killed.kill('SIGKILL');
    await killed.ended();
    isHolding = false;
    const agent = home.start();
    const [first] = await received(1);
    const whole = ['GET /', 'POST /order', 'GET /hold'];
    expect(seen).to.deep.equal([...whole, ...whole, 'DELETE /undo']);
    expect(first!.result.outcome, 'the verdict is that of the whole run').to.equal(OUTCOME_CODES.up);
    expect(first!.result.findings.toString()).to.contain('"name":"undo","wasAvailable":true');
    expect(Number(first!.result.scheduledAtMs), 'the run that was killed has none').to.be.greaterThan(killedMs);
    agent.kill('SIGTERM');
    await agent.ended();
  });

  it('checks through a lost connection and a restart without its control plane, and replays all results in order', async () => {
    const proxy = await startTcpProxy(plane.port);
    try {
      const through = { CONTROL_PLANE_URL: `http://127.0.0.1:${proxy.port}` };
      plane.checks = [httpCheck(1, url), httpCheck(2, url)];
      let agent = home.start(through);
      await received(4);
      const from = Date.now();
      proxy.cut();
      const atCut = hits;
      await eventually('checks go on', () => hits >= atCut + 6 || undefined, PATIENCE_MS, 20);
      const killedMs = Date.now();
      agent.kill('SIGKILL');
      await agent.ended();
      const atKill = hits;
      agent = home.start(through);
      await eventually('checks go on', () => hits > atKill || undefined, PATIENCE_MS, 20);
      const outages = [{ killedMs, backMs: Date.now() }];
      await eventually('checks go on', () => hits >= atCut + 14 || undefined, PATIENCE_MS, 20);
      proxy.restore();
      const back = Date.now();
      await eventually(
        'all results are there',
        () => plane.scheduledTimesOf(1).some((time) => time > back) || undefined,
        PATIENCE_MS,
        20,
      );
      for (const monitor of [1, 2]) expectNoGap(monitor, from, back, outages);
      expectOnlyReplays(plane.received);
      const order = plane.received.map(({ sequence }) => sequence);
      expect([...new Set(order)]).to.deep.equal([...new Set(order)].toSorted((a, b) => a - b));
    } finally {
      await proxy.stop();
    }
  });

  it('finishes running checks, sends all results and exits with 0 on SIGTERM', async () => {
    answerMs = 500;
    plane.checks = [httpCheck(1, url), httpCheck(2, url), httpCheck(3, url)];
    const agent = home.start();
    await received(3);
    plane.holdAcks = true;
    await eventually('a check is under way', () => hits > plane.received.length || undefined, PATIENCE_MS, 5);
    agent.kill('SIGTERM');
    await eventually(
      'the stop has begun',
      () => agent.output().includes('agent stopping') || undefined,
      PATIENCE_MS,
      10,
    );
    plane.holdAcks = false;
    plane.end(status.UNAVAILABLE, 'let the agent send again');
    const { code } = await agent.ended();
    expect(code).to.equal(0);
    await eventually('no stream is left', () => !plane.connected || undefined);
    expect(plane.received.every(({ result }) => result.outcome === OUTCOME_CODES.up)).to.equal(true);
  });

  it('stops when its token is revoked, and runs no check after its next start', async () => {
    plane.checks = [httpCheck(1, url)];
    const agent = home.start();
    await received(2);
    plane.refusal = { code: status.PERMISSION_DENIED, details: 'this agent was revoked' };
    plane.end(status.PERMISSION_DENIED, 'this agent was revoked');
    expect((await agent.ended()).code).to.equal(78);
    expect(agent.output()).to.match(/revoked/);
    const before = hits;
    const again = home.start();
    expect((await again.ended()).code).to.equal(78);
    expect(hits).to.equal(before);
  });

  it('reports all faults of its configuration with exit code 78, and does not share its folder', async () => {
    const broken = home.start({ CONTROL_PLANE_URL: 'http://example.org', AGENT_TOKEN: '', METRICS_PORT: 'x' });
    expect((await broken.ended()).code).to.equal(78);
    expect(broken.output())
      .to.match(/CONTROL_PLANE_URL/)
      .and.match(/AGENT_TOKEN/)
      .and.match(/METRICS_PORT/);
    home.start();
    await eventually('connected', () => plane.connected || undefined, PATIENCE_MS, 20);
    const second = home.start();
    expect((await second.ended()).code).to.equal(1);
    expect(second.output()).to.match(/in use by the agent with process id/);
  });

  it('uses the clock of the control plane when its own is a minute off', async () => {
    plane.clockOffsetMs = 60_000;
    plane.checks = [httpCheck(1, url)];
    const begunMs = Date.now();
    home.start();
    const [first] = await received(1);
    // A slow exchange of times is the more inexact, by half of what it took.
    for (const atMs of [first!.result.startedAtMs, first!.result.scheduledAtMs].map(Number))
      expect(atMs).to.be.within(begunMs + 30_000, first!.atMs + 90_000);
  });

  for (const named of [true, false]) {
    it(`skips a result that can never be accepted and delivers all others, if the refusal ${named ? 'names it' : 'does not name it'}`, async () => {
      plane.checks = [httpCheck(1, url), httpCheck(2, url)];
      plane.namesRefused = named;
      let refused: bigint | undefined;
      plane.isUnacceptable = (result) => {
        if (plane.received.length >= 3) refused ??= result.scheduledAtMs * 10n + result.key!.monitorKey;
        return result.scheduledAtMs * 10n + result.key!.monitorKey === refused;
      };
      home.start();
      const all = await received(9);
      const sequences = all.map(({ sequence }) => sequence);
      expect(new Set(sequences).size).to.equal(Math.max(...sequences) - Math.min(...sequences));
    });
  }

  it('detects a peer that disappears, and delivers the results since then', async () => {
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
      await eventually('a second hello', () => plane.hellos.length >= 2 || undefined);
      const back = Date.now();
      await eventually(
        'all results are there',
        () => plane.scheduledTimesOf(1).some((time) => time > back) || undefined,
      );
      expectNoGap(1, from, back);
      expectOnlyReplays(plane.received);
    } finally {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      relay.close();
    }
  });

  it('continues with a full disk, sends from memory, and logs it', async function () {
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
      await eventually(
        'the full disk is logged',
        () => agent.output().includes('results cannot be written to disk') || undefined,
      );
      const then = Date.now();
      await eventually(
        'results go on',
        () => plane.scheduledTimesOf(1).some((time) => time > then + 2_000) || undefined,
      );
      expect(await (await full.ask(agent, '/metrics')).text()).to.match(/watchpost_spool_disk_failures_total [1-9]/);
      rmSync(filler);
      await eventually(
        'the disk is used again',
        () => agent.output().includes('results can be written to disk again') || undefined,
      );
      const to = Date.now();
      await eventually('all results are there', () => plane.scheduledTimesOf(1).some((time) => time > to) || undefined);
      for (const monitor of [1, 2]) expectNoGap(monitor, from, to);
      agent.kill('SIGTERM');
      expect((await agent.ended()).code).to.equal(0);
    } finally {
      await full.dispose();
      spawnSync('umount', [small]);
      rmSync(small, { recursive: true, force: true });
    }
  });

  it('reconnects when it is asked to, and loses nothing', async () => {
    plane.checks = [httpCheck(1, url)];
    home.start();
    await received(2);
    const from = Date.now();
    plane.send({ $case: 'drain', value: { reason: 'this process stops' } });
    await eventually('a second hello', () => plane.hellos.length === 2 || undefined, PATIENCE_MS, 20);
    await eventually(
      'results again',
      () => plane.scheduledTimesOf(1).some((time) => time > from + 2_000) || undefined,
      PATIENCE_MS,
      20,
    );
    expectNoGap(1, from - 1_000, from + 2_000);
    expectOnlyReplays(plane.received);
  });
});
