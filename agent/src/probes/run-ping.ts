import { execFile, type ExecFileException } from 'node:child_process';
import { FairTurns } from '@watchpost/shared/queues/fair-turns';
import { Deadline } from './deadline.js';
import { DeadlineClock } from './deadline-clock.js';
import { printable } from './printable.js';
import { ProbeFault } from './probe-fault.js';
import { PROGRAM_OPTIONS } from './program-options.js';
import { readPing, type PingReading, type SentPings } from './read-ping.js';

/** Programs that run at once, and with those that wait. */
export const pingTurns = new FairTurns(32, 4_000);
/** The most time between two packets. */
const INTERVAL_MS = 200;
/** The program needs it to begin and to end. */
const START_MS = 250;
/** It is not installed, or the system refuses to give it the capabilities of its file. */
const NOT_THERE = new Set(['ENOENT', 'EACCES', 'EPERM']);
const SELF_TEST_MS = 3_000;

/** Sends echo requests by the program ping, and reads what it reports. Owners take turns. */
export async function runPing(
  program: string,
  { host, count, size }: Omit<SentPings, 'waitMs'>,
  deadline: Deadline,
): Promise<PingReading | ProbeFault> {
  const since = performance.now();
  const turn = pingTurns.enter(deadline.tenancy);
  if (turn === null) return new ProbeFault('ping_queue');
  let late: ProbeFault | null = null;
  const cancel = (fault: ProbeFault): void => {
    late = fault;
    turn.leave();
  };
  deadline.enter({ timeoutKey: 'ping_queue', timeoutValues: () => ({}), cancel });
  try {
    await turn.begins;
    if (late) return late;
    deadline.extend(performance.now() - since, new ProbeFault('ping_queue'));
    const leftMs = Math.max(deadline.endsAt - performance.now() - START_MS, 10);
    const intervalMs = Math.min(INTERVAL_MS, leftMs / 2 / count);
    const sent = { host, count, size, waitMs: leftMs - intervalMs * (count - 1) };
    return await start(program, sent, intervalMs, deadline);
  } finally {
    turn.leave();
  }
}

function start(
  program: string,
  sent: SentPings,
  intervalMs: number,
  deadline: Deadline,
): Promise<PingReading | ProbeFault> {
  return new Promise((resolve) => {
    const { host, count, size, waitMs } = sent;
    const seconds = (ms: number) => (ms / 1_000).toFixed(3);
    // Never a shell: each argument is a number of ours, or an address that the egress policy has allowed.
    const args = ['-n', '-c', `${count}`, '-s', `${size}`, '-i', seconds(intervalMs), '-W', seconds(waitMs), host];
    let cancelled: ProbeFault | null = null;
    const child = execFile(program, args, PROGRAM_OPTIONS, (error, output, complaint) => {
      deadline.leave();
      // At the deadline each packet has had its time, and those that were answered count.
      if (cancelled && cancelled.key !== 'ping_silent') return resolve(cancelled);
      // 1: not all packets were answered.
      const isDone = error === null || error.code === 1 || cancelled !== null;
      resolve(isDone ? readPing(output, sent) : faultOf(error, complaint, host));
    });
    const cancel = (fault: ProbeFault): void => {
      cancelled = fault;
      child.kill('SIGKILL');
      // A process that it started can hold them open.
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    deadline.enter({ timeoutKey: 'ping_silent', timeoutValues: () => ({ address: host, sent: count }), cancel });
  });
}

function faultOf({ code, signal }: ExecFileException, complaint: string, host: string): ProbeFault {
  if (/network is unreachable|cannot assign requested address/i.test(complaint))
    return new ProbeFault('agent_no_route', { address: host, code: 'ENETUNREACH' });
  if (/operation not permitted|permission denied|cap_net_raw/i.test(complaint) || NOT_THERE.has(String(code)))
    return new ProbeFault('ping_unable');
  const ended = typeof code === 'number' ? `exit code ${code}` : (code ?? signal ?? 'unknown');
  return new ProbeFault('ping_failed', { why: complaint === '' ? ended : printable(complaint) });
}

/** @returns whether this program can ping this machine itself, with the rights of this process and in the words that are read here */
export async function canPing(program: string): Promise<boolean> {
  const deadline = new Deadline(SELF_TEST_MS, new AbortController().signal, new DeadlineClock());
  const reading = await runPing(program, { host: '127.0.0.1', count: 1, size: 56 }, deadline);
  deadline.dispose();
  return !(reading instanceof ProbeFault) && reading.figures.received === 1;
}
