import { CORES, sumPeriods, type CellSample } from './cell-sample.js';
import { countedQuantile } from './latency-counts.js';
import type { CellFault, CellRun } from './run-cell.js';
import { LATE_MS, type SimulatedPeriod } from './simulated-figures.js';

/** A fault affects the samples that end this long after its recovery. */
const AFTERMATH_S = 20;

export interface CellSummary {
  storedPerSecond: number;
  lost: number;
  late: { afterMs: number; count: number }[];
  calm: { lagP50Ms: number; lagP99Ms: number; answerP50Ms: number; answerP99Ms: number };
  all: SimulatedPeriod;
  cpu: { part: string; cores: number; usPerResult: number }[];
  /** Cores that other work on the machine used. */
  othersCores: number;
  mostResidentBytes: number;
  bytesPerResult: number;
  walBytesPerResult: number;
  wireBytesPerResult: number;
}

export function summarise(run: CellRun): CellSummary {
  const { samples, series, plan, storedByMinute, faults } = run;
  const all = sumPeriods(samples.map(({ figures }) => figures));
  const calmSamples = samples.filter((sample) => !faults.some((fault) => isAffected(sample, fault)));
  const calm = sumPeriods((calmSamples.length > 0 ? calmSamples : samples).map(({ figures }) => figures));
  const stored = storedByMinute.reduce((sum, count) => sum + count, 0);
  // The last sample is the time until the agents were empty.
  const measured = samples.slice(0, -1);
  const seconds = measured.reduce((sum, sample) => sum + sample.seconds, 0);
  const cores = (of: (sample: CellSample) => number): number =>
    measured.reduce((sum, sample) => sum + of(sample) * sample.seconds, 0) / seconds;
  const results = measured.reduce((sum, { figures }) => sum + figures.acknowledged, 0);
  const part = (name: string, of: (sample: CellSample) => number) => ({
    part: name,
    cores: cores(of),
    usPerResult: (cores(of) * seconds * 1e6) / results,
  });
  const grown = measured.at(-1)!.databaseBytes - measured[0]!.databaseBytes;
  const resultsSinceFirst = results - measured[0]!.figures.acknowledged;
  return {
    storedPerSecond: stored / (plan.minutes * 60),
    lost: series * plan.minutes - stored,
    late: LATE_MS.map((afterMs, index) => ({ afterMs, count: all.late[index] ?? 0 })),
    calm: {
      lagP50Ms: countedQuantile(calm.lag, 0.5),
      lagP99Ms: countedQuantile(calm.lag, 0.99),
      answerP50Ms: countedQuantile(calm.answer, 0.5),
      answerP99Ms: countedQuantile(calm.answer, 0.99),
    },
    all,
    cpu: [
      part('control planes', ({ cpu }) => cpu.controlPlanes.reduce((sum, own) => sum + own, 0)),
      part('PostgreSQL', ({ cpu }) => cpu.postgres),
      part(`simulators (agents), of ${CORES} cores`, ({ cpu }) => cpu.simulators),
      part('other work on the machine', ({ cpu }) => cpu.others),
    ],
    othersCores: cores(({ cpu }) => cpu.others),
    mostResidentBytes: Math.max(...measured.flatMap(({ controlPlaneBytes }) => controlPlaneBytes)),
    bytesPerResult: grown / resultsSinceFirst,
    walBytesPerResult: measured.reduce((sum, { walBytes }) => sum + walBytes, 0) / results,
    wireBytesPerResult: all.bytes / all.produced,
  };
}

function isAffected({ atS, seconds }: CellSample, { atS: faultS, recoveredMs }: CellFault): boolean {
  return atS >= faultS && atS - seconds <= faultS + (recoveredMs ?? 60_000) / 1_000 + AFTERMATH_S;
}
