import { LatencyCounts } from './latency-counts.js';

/** Results that are committed later than this after they were due, ms. */
export const LATE_MS = [1_000, 2_000, 5_000, 15_000, 60_000] as const;

export interface SimulatedPeriod {
  /** From the scheduled time of a result to its acknowledgement. */
  lag: number[];
  /** From sending a batch to its acknowledgement. */
  answer: number[];
  /** How late this process noticed that a check was done: the simulator's own share of the lag. */
  own: number[];
  produced: number;
  /** Of the encoded results. */
  bytes: number;
  acknowledged: number;
  /** By `LATE_MS`. */
  late: number[];
  refused: number;
  dropped: number;
  reconnects: number;
  onDemandRuns: number;
  failure: string | null;
}

/** Counts of what the agents of a process do, since the last time they were taken. */
export class SimulatedFigures {
  private readonly lag = new LatencyCounts();
  private readonly answer = new LatencyCounts();
  private readonly own = new LatencyCounts();
  private readonly late = LATE_MS.map(() => 0);
  private produced = 0;
  private bytes = 0;
  private acked = 0;
  private lost = 0;
  /** Why an agent cannot work, which a run does not survive. */
  failure: string | null = null;
  refused = 0;
  reconnects = 0;
  onDemandRuns = 0;

  /** A check is done, and this process noticed it so late. */
  done(lateMs: number): void {
    this.own.add(lateMs);
  }

  encoded(bytes: number): void {
    this.produced++;
    this.bytes += bytes;
  }

  acknowledged(afterDueMs: number): void {
    this.acked++;
    this.lag.add(afterDueMs);
    for (let index = 0; index < LATE_MS.length && afterDueMs > LATE_MS[index]!; index++) this.late[index]!++;
  }

  answered(afterSendMs: number): void {
    this.answer.add(afterSendMs);
  }

  dropped(results: number): void {
    this.lost += results;
  }

  /** The control plane refused an agent for good. */
  fail(message: string): void {
    this.failure ??= message;
  }

  /** @returns the figures since the last call */
  take(): SimulatedPeriod {
    const period = {
      lag: this.lag.take(),
      answer: this.answer.take(),
      own: this.own.take(),
      produced: this.produced,
      bytes: this.bytes,
      acknowledged: this.acked,
      late: [...this.late],
      refused: this.refused,
      dropped: this.lost,
      reconnects: this.reconnects,
      onDemandRuns: this.onDemandRuns,
      failure: this.failure,
    };
    this.late.fill(0);
    this.produced = this.bytes = this.acked = this.lost = this.refused = this.reconnects = this.onDemandRuns = 0;
    return period;
  }
}
