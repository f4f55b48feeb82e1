import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import { describeFault, type PlannedFault, type Round } from '../draw/draw-faults.js';
import { RECOVERY_MS } from '../judge/disturbances.js';
import type { Disturbance } from '../judge/observation.js';
import { strike, type FaultContext } from './apply-fault.js';

export interface FaultRun {
  context: FaultContext;
  rounds: Iterable<Round>;
  /** No round begins after this time, by the wall clock. */
  untilMs: number;
  signal: AbortSignal;
  print(line: string): void;
  disturbances: Disturbance[];
}

/** Does one round after another: its faults, the recovery, and the calm. */
export async function runFaults(run: FaultRun): Promise<void> {
  const { context, rounds, print, disturbances } = run;
  for (const { faults, calmMs } of rounds) {
    if (run.signal.aborted || Date.now() >= run.untilMs) return;
    const done = await Promise.all(faults.map((fault) => doFault(run, fault)));
    const mendedMs = Math.max(...done.map((one) => one.mendedMs));
    const recoveredMs = await eventually('everything is well', () => context.world.isWell(), RECOVERY_MS, 250).then(
      () => Date.now(),
      () => null,
    );
    for (const one of done) one.recoveredMs = recoveredMs;
    disturbances.push(...done);
    const how =
      recoveredMs === null ? 'NOT RECOVERED' : `well again after ${((recoveredMs - mendedMs) / 1000).toFixed(1)} s`;
    print(`  ${how}`);
    await sleep(calmMs, undefined, { signal: run.signal }).catch(() => {});
  }
}

async function doFault({ context, print }: FaultRun, fault: PlannedFault): Promise<Disturbance> {
  await sleep(fault.afterMs);
  print(describeFault(fault));
  const { world, report } = context;
  const region = world.agents.find(({ name }) => name === fault.subject)?.agent.region;
  const fromMs = Date.now();
  try {
    const mend = await strike(context, fault);
    // A failover lasts inside of its own strike.
    if (!fault.kind.startsWith('failover')) await sleep(fault.lastsMs);
    await mend();
  } catch (error) {
    report(`${describeFault(fault)}: ${(error as Error).message}`);
  }
  const { number, kind, role, subject } = fault;
  return {
    number,
    kind,
    role,
    subject,
    ...(region ? { region } : {}),
    fromMs,
    mendedMs: Date.now(),
    recoveredMs: null,
  };
}
