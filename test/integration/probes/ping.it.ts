import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canPing } from '@watchpost/agent/probes/run-ping';
import { decodeTarget, encodeTarget } from '@watchpost/shared/check';
import { pingCheck, type PingTarget } from '@watchpost/shared/checks/ping';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { expect } from 'chai';
import { testProbes } from './probe-check.js';

describe('a ping', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ping-'));
  after(() => rmSync(folder, { recursive: true }));

  const check = (
    program: string | null,
    host: string,
    target: Partial<PingTarget> = {},
    { timeoutMs = 5_000, signal = new AbortController().signal, ownerKey = 'ann' } = {},
  ): Promise<ProbeReport> => {
    const probes = testProbes({ pingProgram: program });
    const decoded = decodeTarget('ping', encodeTarget(pingCheck.target.parse({ host, ...target })));
    return probes.run({ timeoutMs, target: decoded, ownerKey }, signal);
  };
  let made = 0;
  /** A program in the place of ping. */
  const standIn = (script: string): string => {
    const path = join(folder, `ping-${made++}`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const answers = (...ms: (number | null)[]) =>
    standIn(
      ms
        .map((one, index) =>
          one === null ? ':' : `echo '64 bytes from 127.0.0.9: icmp_seq=${index + 1} ttl=64 time=${one} ms'`,
        )
        .join('\n'),
    );
  const messageOf = ({ outcome }: ProbeReport) => (outcome.kind === 'up' ? outcome.degraded : outcome.message);

  it('is up with the times of its answers, and takes as long as they do', async () => {
    const report = await check(answers(10, 20, 30), '127.0.0.9', { count: 3 });
    expect(report).to.deep.include({
      outcome: { kind: 'up' },
      address: '127.0.0.9',
      totalUs: 20_000,
      ping: { sent: 3, received: 3, minMs: 10, averageMs: 20, maxMs: 30, stddevMs: 8.165 },
    });
  });

  it('passes numbers and an address alone, and no variables', async () => {
    const program = standIn(`printf "%s " "$@" > ${folder}/arguments; env > ${folder}/variables`);
    await check(program, '127.0.0.9', { count: 4, size: 100 });
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).to.match(
      /^-n -c 4 -s 100 -i 0\.200 -W [34]\.\d{3} 127\.0\.0\.9 $/,
    );
    expect(readFileSync(join(folder, 'variables'), 'utf8'))
      .to.match(/LC_ALL=C/)
      .and.not.match(/HOME=/);
  });

  it('goes to an IPv4 address within an IPv6 one as to what it is', async () => {
    expect(await check(answers(10), '::ffff:127.0.0.9', { count: 1 })).to.deep.include({
      outcome: { kind: 'up' },
      address: '127.0.0.9',
    });
  });

  it('is down where more than the limit is lost, and not where just as much is', async () => {
    const program = answers(10, null, 10, null);
    expect((await check(program, '127.0.0.9', { count: 4, maxLossPercent: 50 })).outcome).to.deep.equal({ kind: 'up' });
    const report = await check(program, '127.0.0.9', { count: 4, maxLossPercent: 49 });
    expect(report.outcome).to.include({ kind: 'down', phase: 'connect', reason: 'timeout' });
    expect(messageOf(report)).to.equal(
      'The host at 127.0.0.9 answered 2 of 4 within 5 s: 50 % were lost, and at most 49 % may be.',
    );
    expect(report.ping).to.include({ sent: 4, received: 2, averageMs: 10 });
  });

  it('is degraded where more is lost than should be, or answers take longer', async () => {
    const program = answers(10, null, 20, 30);
    expect(messageOf(await check(program, '127.0.0.9', { count: 4, degradedLossPercent: 25 }))).to.equal(undefined);
    expect(messageOf(await check(program, '127.0.0.9', { count: 4, degradedLossPercent: 24 }))).to.equal(
      'The host at 127.0.0.9 answered 3 of 4: 25 % were lost, and more than 24 % degrade it.',
    );
    expect(messageOf(await check(program, '127.0.0.9', { count: 4, maxAverageMs: 20 }))).to.equal(undefined);
    expect(messageOf(await check(program, '127.0.0.9', { count: 4, maxAverageMs: 19.5 }))).to.equal(
      'The host at 127.0.0.9 answered after 20 ms on average; more than 19.5 ms degrade it.',
    );
  });

  it('is down without an answer, and names who refuses where somebody does', async () => {
    const silent = await check(standIn('exit 1'), '127.0.0.9');
    expect(silent.outcome).to.include({ kind: 'down', reason: 'timeout' });
    expect(messageOf(silent)).to.equal('The host at 127.0.0.9 answered none of 5 within 5 s.');
    const refused = await check(
      standIn("echo 'From 127.0.0.1 icmp_seq=1 Destination Host Unreachable'; exit 1"),
      '127.0.0.9',
    );
    expect(refused.outcome).to.include({ kind: 'down', reason: 'host_unreachable' });
    expect(messageOf(refused)).to.match(/127\.0\.0\.1 reports “Destination Host Unreachable”\.$/);
  });

  const broken: [what: string, script: string, reason: string, message: RegExp][] = [
    [
      'may not open a socket',
      'echo "ping: socket: Operation not permitted" >&2; exit 2',
      'unsupported',
      /may not send/,
    ],
    ['lacks a capability', 'echo "=> missing cap_net_raw+p capability" >&2; exit 2', 'unsupported', /may not send/],
    [
      'has no route',
      'echo "ping: connect: Network is unreachable" >&2; exit 2',
      'agent_no_network',
      /no network route/,
    ],
    ['refuses its arguments', 'echo "ping: invalid argument" >&2; exit 2', 'agent_overloaded', /invalid argument/],
    ['ends without a word', 'exit 3', 'agent_overloaded', /exit code 3/],
    ['crashes', 'kill -SEGV $$', 'agent_overloaded', /SIGSEGV/],
    ['is killed', 'kill -9 $$', 'agent_overloaded', /SIGKILL/],
    ['prints without end', 'yes', 'agent_overloaded', /MAXBUFFER/],
    ['complains without end', 'yes >&2', 'agent_overloaded', /MAXBUFFER|y$|y\.$/],
  ];
  for (const [what, script, reason, message] of broken)
    it(`is inconclusive where the program ${what}`, async () => {
      const report = await check(standIn(script), '127.0.0.9');
      expect(report.outcome).to.include({ kind: 'inconclusive', reason });
      expect(messageOf(report)).to.match(message);
    });

  const ANSWER = '64 bytes from 127.0.0.9: icmp_seq=1 ttl=64 time=1 ms';
  const noAnswers: Readonly<Record<string, string>> = {
    'is empty': '',
    'ends within the line': ANSWER.slice(0, -1),
    'ends after the time': ANSWER.slice(0, -3),
    'has a blank before': ` ${ANSWER}`,
    'has a blank behind': `${ANSWER} `,
    'has a carriage return': `${ANSWER}\r`,
    'is a duplicate alone': `${ANSWER} (DUP!)`,
    'is truncated': `${ANSWER} (truncated)`,
    'has a wrong checksum': `${ANSWER} (BAD CHECKSUM!)`,
    'has another address': ANSWER.replace('0.9', '0.8'),
    'has an address of another family': ANSWER.replace('127.0.0.9', '::1'),
    'has a name': ANSWER.replace('127.0.0.9', 'shop.example (127.0.0.9)'),
    'has no address': ANSWER.replace('127.0.0.9', ''),
    'is too short': ANSWER.replace('64 bytes', '63 bytes'),
    'is too long': ANSWER.replace('64 bytes', '65 bytes'),
    'has a negative length': ANSWER.replace('64 bytes', '-64 bytes'),
    'has the number 0': ANSWER.replace('seq=1', 'seq=0'),
    'has a number that was not sent': ANSWER.replace('seq=1', 'seq=6'),
    'has a number beyond all': ANSWER.replace('seq=1', 'seq=65537'),
    'has no number': ANSWER.replace('seq=1', 'seq='),
    'has a negative number': ANSWER.replace('seq=1', 'seq=-1'),
    'has no hop limit': ANSWER.replace(' ttl=64', ''),
    'has a time in seconds': ANSWER.replace('ms', 's'),
    'has a negative time': ANSWER.replace('time=1', 'time=-1'),
    'has a time that is no number': ANSWER.replace('time=1', 'time=NaN'),
    'has a time in other digits': ANSWER.replace('time=1', 'time=1,5'),
    'comes later than awaited': ANSWER.replace('time=1', 'time=999999'),
    'is of another program': ANSWER.replace('icmp_seq', 'seq'),
    'is in capitals': ANSWER.toUpperCase(),
    'is in two lines': ANSWER.replace(' ttl', '\nttl'),
    'has an escape': `\u001b[1m${ANSWER}`,
    'is a summary': '1 packets transmitted, 1 received, 0% packet loss, time 0ms',
    'is a refusal of the answer': 'From 127.0.0.1 icmp_seq=1 Time to live exceeded',
  };
  it('is down by a line that is no answer, of thirty kinds', async () => {
    expect(Object.keys(noAnswers)).to.have.lengthOf.at.least(30);
    for (const [what, line] of Object.entries(noAnswers)) {
      writeFileSync(join(folder, 'lines'), `${line}\n`);
      const report = await check(standIn(`cat ${folder}/lines; exit 1`), '127.0.0.9');
      expect(report.outcome, what).to.include({ kind: 'down' });
      expect(report.ping, what).to.include({ sent: 5, received: 0 });
    }
  });

  it('counts what was answered by the deadline, however long the program goes on', async () => {
    const program = standIn(
      "echo '64 bytes from 127.0.0.9: icmp_seq=1 ttl=64 time=3 ms'; trap '' TERM; sleep 5 & wait",
    );
    const report = await check(program, '127.0.0.9', { count: 2 }, { timeoutMs: 300 });
    expect(report.ping).to.include({ sent: 2, received: 1 });
    expect(report.outcome).to.deep.equal({ kind: 'up' });
  });

  it('ends at once where the agent stops', async () => {
    const stop = new AbortController();
    const report = check(standIn('sleep 5 & wait'), '127.0.0.9', {}, { timeoutMs: 60_000, signal: stop.signal });
    setImmediate(() => stop.abort());
    expect((await report).outcome).to.include({ kind: 'inconclusive', reason: 'agent_stopping' });
  });

  it('runs many at once in turns, and all of them have an outcome', async () => {
    const program = answers(1);
    const reports = await Promise.all(
      Array.from({ length: 80 }, () => check(program, '127.0.0.9', { count: 1 }, { timeoutMs: 30_000 })),
    );
    expect(reports.filter(({ outcome }) => outcome.kind === 'up')).to.have.length(80);
  });

  it('begins at once while another owner has many that are silent', async () => {
    const stop = new AbortController();
    const silent = standIn('exec sleep 600');
    const crowd = Array.from({ length: 100 }, () =>
      check(silent, '127.0.0.9', {}, { timeoutMs: 300_000, signal: stop.signal, ownerKey: 'crowd' }),
    );
    const victim = await check(answers(1), '127.0.0.9', { count: 1 }, { timeoutMs: 60_000, ownerKey: 'victim' });
    expect(victim.outcome).to.deep.equal({ kind: 'up' });
    stop.abort();
    for (const { outcome } of await Promise.all(crowd)) expect(outcome).to.include({ reason: 'agent_stopping' });
  });

  it('is inconclusive, never down, on an agent that cannot ping, which does not offer it', async () => {
    const report = await check(null, '127.0.0.9');
    expect(report.outcome).to.include({ kind: 'inconclusive', reason: 'unsupported' });
    expect(testProbes().capabilities).to.not.include('ping');
    expect(testProbes({ pingProgram: 'ping' }).capabilities).to.include('ping');
    expect(await canPing(join(folder, 'nothing'))).to.equal(false);
    expect(await canPing(standIn('exit 2'))).to.equal(false);
    expect(await canPing(answers(1))).to.equal(false);
  });

  it('sends nothing to an address that the egress policy refuses', async () => {
    const report = await check(standIn(`touch ${folder}/was-run`), '10.1.2.3');
    expect(report.outcome).to.include({ kind: 'down', phase: 'egress', reason: 'address_not_allowed' });
    expect(existsSync(join(folder, 'was-run'))).to.equal(false);
  });

  describe('of the system', () => {
    const program = process.env['TEST_PING'] ?? 'ping';
    before(async function () {
      if (!(await canPing(program))) this.skip();
    });
    for (const host of ['127.0.0.1', '127.0.0.77', '::1'])
      it(`gets an answer of ${host} to each packet`, async () => {
        const report = await check(program, host, { count: 3, size: 1_400 });
        expect(report.outcome).to.deep.equal({ kind: 'up' });
        expect(report.ping).to.include({ sent: 3, received: 3 });
        expect(report.ping!.minMs).to.be.at.most(report.ping!.averageMs!).and.at.least(0);
        expect(report.ping!.maxMs).to.be.at.least(report.ping!.averageMs!);
      });
  });
});
