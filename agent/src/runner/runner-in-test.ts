import { pino } from 'pino';
import type { CheckSpec } from '@watchpost/shared/check';
import { tcpUdpCheck } from '@watchpost/shared/checks/tcp-udp';
import { systemClock } from '@watchpost/shared/clock';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { CheckRunner, type CheckRunnerOptions } from './check-runner.js';
import { LoopLagSampler } from './loop-lag.js';

export const checkInTest = (timeoutMs = 1_000): CheckSpec => ({
  key: { monitorKey: 7, kind: 'tcpUdp' },
  intervalMs: 60_000,
  timeoutMs,
  phaseMs: 0,
  changedAtMs: 0,
  target: tcpUdpCheck.target.parse({ protocol: 'tcp', host: 'a.test', port: 1 }),
});

/** A success. */
export const reportInTest: ProbeReport = {
  outcome: { kind: 'up' },
  startedAtMs: 0,
  totalUs: 5,
  timings: { dnsUs: 0, connectUs: 5, tlsUs: 0, firstByteUs: 0, transferUs: 0 },
  statusCode: null,
  address: '192.0.2.1:1',
  evidence: null,
};

/** A runner on a healthy machine whose checks are this probe. */
export function runnerInTest(
  run: (spec: CheckSpec, signal: AbortSignal) => Promise<ProbeReport>,
  options: Partial<CheckRunnerOptions> = {},
): CheckRunner {
  return new CheckRunner({
    probes: { run },
    clock: systemClock,
    loopLag: new LoopLagSampler(),
    suspension: { totalMs: 0 },
    hasRoute: () => true,
    references: { look: () => Promise.resolve('unknown'), mark: () => 0 },
    ownFailures: { noteUp: () => {}, noteDown: () => {}, isLikely: false },
    logger: pino({ level: 'silent' }),
    ...options,
  });
}
