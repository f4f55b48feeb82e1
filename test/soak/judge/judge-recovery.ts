import { isOfControl, naming, RECOVERY_MS, timeOf } from './disturbances.js';
import type { Disturbance, Finding, Judgement } from './observation.js';

export function judgeRecovery(disturbances: readonly Disturbance[]): Judgement {
  const rule = 'recoveries missing';
  return {
    rule,
    meaning: `faults after which the product was not whole again within ${RECOVERY_MS / 1000} s`,
    judged: disturbances.length,
    findings: disturbances
      .filter(({ recoveredMs }) => recoveredMs === null)
      .map((one) => ({ rule, what: naming([one]), atMs: one.mendedMs })),
  };
}

/** A process that ends by itself. Only a control plane that starts without its database may, because its manager starts it again. */
export function judgeEnds(
  ends: readonly { process: string; atMs: number; how: string; lastLines: string }[],
  disturbances: readonly Disturbance[],
): Judgement {
  const rule = 'processes ended';
  return {
    rule,
    meaning: 'processes that ended although nothing ended them',
    judged: ends.length,
    findings: ends.map(({ process, atMs, how, lastLines }): Finding => {
      const near = disturbances.filter(
        (one) => isOfControl(one) && one.fromMs <= atMs && one.mendedMs + 10_000 >= atMs,
      );
      const isExplained = process.startsWith('control-plane') && near.length > 0;
      const what = `${process} at ${timeOf(atMs)}: ${how}\n${lastLines}`;
      return { rule, atMs, what, ...(isExplained ? { explanation: naming(near) } : {}) };
    }),
  };
}

/** What the harness saw go wrong during a fault, such as a process that ignored SIGTERM. */
export function judgeReports(reports: readonly { what: string; atMs: number }[]): Judgement {
  const rule = 'stops refused';
  return {
    rule,
    meaning: 'processes that did not end, or not well, after SIGTERM',
    judged: reports.length,
    findings: reports.map(({ what, atMs }) => ({ rule, what, atMs })),
  };
}
